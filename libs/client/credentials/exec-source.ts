import { unlessAborted } from '@binnacle/event-loop';
import { CredentialError } from './credential-error.ts';
import type { CredentialSource } from './credential-source.ts';
import type { GivenCredentials } from './exec-credential.ts';

/** How credentials of a plugin are obtained. */
interface ExecSourceOptions {
  /** Runs the plugin once. */
  readonly run: (signal: AbortSignal) => Promise<GivenCredentials>;
  readonly clock: () => number;
}

// Differences count without their sign: a clock that is set back must not lengthen a pause.
/** A plugin that failed is not run again within this time: requests that come meanwhile fail as the last one did. */
const failurePauseMs = 1_000;
/** New credentials that a server refuses as well are not renewed again within this time. */
const renewalPauseMs = 10_000;

/**
 * Credentials from a plugin, until they expire or a server refuses them. However many requests wait, the plugin runs once; a
 * request that goes away leaves the run to the others.
 */
export function createExecSource({ run, clock }: ExecSourceOptions): CredentialSource {
  const closing = new AbortController();
  let given: GivenCredentials | undefined;
  let running: Promise<GivenCredentials> | undefined;
  let failure: { readonly error: unknown; readonly at: number } | undefined;
  let renewedAt = Number.NEGATIVE_INFINITY;

  async function runOnce(): Promise<GivenCredentials> {
    try {
      given = await run(closing.signal);
      failure = undefined;
      return given;
    } catch (error) {
      failure = { error, at: clock() };
      throw error;
    } finally {
      running = undefined;
    }
  }

  function fresh(signal: AbortSignal = closing.signal): Promise<GivenCredentials> {
    if (closing.signal.aborted) return Promise.reject(new CredentialError('the client is closed'));
    if (!running && failure && Math.abs(clock() - failure.at) < failurePauseMs)
      return Promise.reject(failure.error);
    running ??= runOnce();
    return unlessAborted(running, signal);
  }

  return {
    async current(signal) {
      const isGood = given !== undefined && clock() < given.expiresAt;
      return (given && isGood ? given : await fresh(signal)).credentials;
    },
    async renew(refused, signal) {
      if (given?.credentials === refused && !running) {
        if (Math.abs(clock() - renewedAt) < renewalPauseMs) return false;
        renewedAt = clock();
      }
      if (given?.credentials === refused) await fresh(signal);
      return given?.credentials !== refused;
    },
    [Symbol.dispose]: () => closing.abort(new CredentialError('the client is closed')),
  };
}
