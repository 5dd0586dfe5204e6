import type { ClientConfiguration } from '../configuration/client-configuration.ts';
import { bearer, type CredentialSource, type Credentials } from './credential-source.ts';
import { createExecSource } from './exec-source.ts';
import { runExecPlugin } from './run-exec-plugin.ts';
import { createTokenFileSource } from './token-file-source.ts';

/** How the credentials of a configuration are obtained. */
export interface CredentialSourceOptions {
  /**
   * The terminal of the user of this program: plugins write their messages to it, and may ask when `isInteractive`. Undefined: there
   * is none, and what plugins write to standard error is dropped, for it may hold secrets.
   */
  readonly terminal?: Terminal | undefined;
  /** Milliseconds since 1970; `Date.now` when not given. */
  readonly clock?: () => number;
}

/** The terminal of a command-line program. */
interface Terminal {
  /** Whether a person can answer at standard input. */
  readonly isInteractive: boolean;
}

/** Milliseconds for one run of a plugin; a person who answers its questions needs more. */
const pluginTimeoutMs = 60_000;
const interactiveTimeoutMs = 10 * 60_000;

/**
 * The source of a configuration's credentials. A token, a password or a certificate in the configuration keeps a plugin from
 * running, as in kubectl. Throws an Error when the configuration needs a terminal that there is not.
 */
export function createCredentialSource(
  configuration: ClientConfiguration,
  { terminal, clock = Date.now }: CredentialSourceOptions = {},
): CredentialSource {
  const { exec, tokenFile, token = '' } = configuration;
  const fixed = fixedCredentials(configuration);
  if (tokenFile) return createTokenFileSource({ path: tokenFile, token, base: fixed, clock });
  if (!exec || Object.keys(fixed).length > 0) return fixedSource(fixed);
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

function fixedCredentials({ token, basic, clientCertificate, clientKey }: ClientConfiguration): Credentials {
  const pair = basic && Buffer.from(`${basic.username}:${basic.password}`).toString('base64');
  return {
    ...(pair && { authorization: `Basic ${pair}` }),
    ...(token && { authorization: bearer(token) }),
    ...(clientCertificate && { clientCertificate }),
    ...(clientKey && { clientKey }),
  };
}

function fixedSource(credentials: Credentials): CredentialSource {
  return {
    current: () => Promise.resolve(credentials),
    renew: () => Promise.resolve(false),
    [Symbol.dispose]: () => {},
  };
}
