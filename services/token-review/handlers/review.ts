import {
  type CallContext,
  millisecondsUntil,
  type TokenReviewRequest,
  type TokenReviewResponse,
} from '@binnacle/proto';
import type { Authenticator, Decision } from '../authenticators/authenticator.ts';
import type { DecisionCache } from '../decision-cache/decision-cache.ts';
import type { TimedDecision } from '../decision-cache/shared-cache.ts';

/** Options of the review of a token. */
export interface ReviewOptions {
  readonly authenticators: readonly Authenticator[];
  readonly decisions: DecisionCache;
  /** Audiences of the API server, for requests that name none. */
  readonly audiences: readonly string[];
  readonly clock: () => number;
  readonly observe: (outcome: 'success' | 'failure' | 'error', seconds: number) => void;
}

/** Longest token that is reviewed, in characters: more than the limit of headers. */
const maxTokenLength = 16 * 1024;

/**
 * Decides on one token: the first authenticator to accept it decides (spec 2, "Principals"), whatever refusals or failures came before.
 * If none accepts it, the first failure is thrown, else the first refusal is the error of the answer, else the answer says whether one
 * was undecided.
 */
export async function review(
  request: TokenReviewRequest,
  call: CallContext,
  options: ReviewOptions,
): Promise<TokenReviewResponse> {
  const started = performance.now();
  const outcome = (kind: 'success' | 'failure' | 'error'): void =>
    options.observe(kind, (performance.now() - started) / 1000);
  try {
    const audiences = request.audiences.length > 0 ? request.audiences : options.audiences;
    const timed = await decide(request.token, audiences, { call, options });
    outcome(timed.decision.kind === 'authenticated' ? 'success' : 'failure');
    return responseFrom(timed, options.clock());
  } catch (error) {
    outcome('error');
    throw error;
  }
}

/** Precedence of the decisions that do not accept a token: a refusal counts even where another authenticator was undecided. */
const weightOf = { unknown: 0, undecided: 1, rejected: 2 };

async function decide(
  token: string,
  audiences: readonly string[],
  { call, options }: { call: CallContext; options: ReviewOptions },
): Promise<TimedDecision> {
  let refused: Decision = { kind: 'unknown' };
  if (token === '' || token.length > maxTokenLength) return { decision: refused, until: 0 };
  const failures: unknown[] = [];
  for (const authenticator of options.authenticators) {
    // Several callers may wait for one decision: none of them may cancel it for the others.
    const ask = (): Promise<Decision> => authenticator.authenticate(token, audiences, detached(call));
    try {
      const timed = authenticator.isCheap
        ? { decision: await ask(), until: options.clock() + authenticator.cacheTtl.success }
        : await options.decisions.decide({ token, audiences, authenticator }, ask);
      const { decision } = timed;
      if (decision.kind === 'authenticated') return timed;
      if (weightOf[decision.kind] > weightOf[refused.kind]) refused = decision;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return { decision: refused, until: 0 };
}

function detached(call: CallContext): CallContext {
  return { ...call, signal: AbortSignal.timeout(Math.max(1, Math.ceil(millisecondsUntil(call.deadline)))) };
}

function responseFrom({ decision, until }: TimedDecision, now: number): TokenReviewResponse {
  if (decision.kind === 'authenticated') {
    return {
      authenticated: true,
      user: decision.user,
      audiences: [...decision.audiences],
      error: '',
      undecided: false,
      auditAnnotations: { ...decision.auditAnnotations },
      reusableMs: Math.max(0, Math.floor(until - now)),
    };
  }
  const error = decision.kind === 'rejected' ? decision.error : 'invalid bearer token';
  const undecided = decision.kind === 'undecided';
  return { authenticated: false, audiences: [], error, undecided, auditAnnotations: {} };
}
