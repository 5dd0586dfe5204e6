import { isDeepStrictEqual } from 'node:util';
import type { ClientConfiguration } from '../configuration/client-configuration.ts';
import { bearer, type CredentialSource, type Credentials } from './credential-source.ts';
import { createExecSource } from './exec-source.ts';
import { runExecPlugin } from './run-exec-plugin.ts';
import { createTokenFileSource } from './token-file-source.ts';

/** Options of a credential source. */
export interface CredentialSourceOptions {
  /**
   * The terminal of this program: plugins write messages to it, and may prompt if `isInteractive`. Undefined: there is
   * none, and the standard error of plugins is dropped, because it may hold secrets.
   */
  readonly terminal?: Terminal | undefined;
  /** Unix time in ms; default: `Date.now`. */
  readonly clock?: () => number;
}

/** The terminal of a command-line program. */
interface Terminal {
  /** Whether a user can answer prompts on standard input. */
  readonly isInteractive: boolean;
}

/** Timeouts of one run of a plugin, in ms; a user who answers prompts needs more time. */
const pluginTimeoutMs = 60_000;
const interactiveTimeoutMs = 10 * 60_000;

/**
 * Creates the source of a configuration's credentials. As in kubectl, a plugin runs only if the configuration has no
 * token, password or certificate. Throws an Error if the configuration requires a terminal and there is none.
 */
export function createCredentialSource(
  configuration: ClientConfiguration,
  { terminal, clock = Date.now }: CredentialSourceOptions = {},
): CredentialSource {
  const { exec, tokenFile, token = '' } = configuration;
  const own = ownCredentials(configuration);
  if (tokenFile) return createTokenFileSource({ path: tokenFile, token, base: own, clock });
  if (!exec || Object.keys(own()).length > 0) return ownSource(own);
  const isInteractive = exec.interactiveMode !== 'Never' && terminal?.isInteractive === true;
  if (exec.interactiveMode === 'Always' && !isInteractive)
    throw new Error(`${exec.where}: interactiveMode is Always, and standard input is not a terminal`);
  const run = (signal: AbortSignal) =>
    runExecPlugin(exec, {
      signal,
      isInteractive,
      showsMessages: terminal !== undefined,
      timeoutMs: isInteractive ? interactiveTimeoutMs : pluginTimeoutMs,
    });
  return createExecSource({ run, clock });
}

/** A function that gives the credentials that a configuration itself contains at the moment: its files may be followed. */
function ownCredentials(configuration: ClientConfiguration): () => Credentials {
  let last: Credentials = {};
  return () => {
    const { token, basic, clientCertificate, clientKey } = configuration;
    const pair = basic && Buffer.from(`${basic.username}:${basic.password}`).toString('base64');
    const latest = {
      ...(pair && { authorization: `Basic ${pair}` }),
      ...(token && { authorization: bearer(token) }),
      ...(clientCertificate && { clientCertificate }),
      ...(clientKey && { clientKey }),
    };
    if (!isDeepStrictEqual(latest, last)) last = latest;
    return last;
  };
}

function ownSource(own: () => Credentials): CredentialSource {
  return {
    current: () => Promise.resolve(own()),
    renew: refused => Promise.resolve(own() !== refused),
    [Symbol.dispose]: () => {},
  };
}
