import { unlessAborted } from '@binnacle/event-loop';
import { CredentialError } from './credential-error.ts';
import type { CredentialSource } from './credential-source.ts';
import type { GivenCredentials } from './exec-credential.ts';

/** Options of a source with a plugin. */
interface ExecSourceOptions {
  /** Runs the plugin once. */
  readonly run: (signal: AbortSignal) => Promise<GivenCredentials>;
  readonly clock: () => number;
}

// Time differences are absolute: a clock that is set back must not prolong a pause.
/** Pause after a failed run, in ms; requests in the meantime fail with the same error. */
const failurePauseMs = 1_000;
/** Minimum interval between two renewals, in ms, for a server that refuses new credentials too. */
const renewalPauseMs = 10_000;

/**
 * Creates a source that caches the credentials of a plugin until they expire or a server refuses them. All waiting
 * requests share one run of the plugin; a request that aborts does not end it.
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
