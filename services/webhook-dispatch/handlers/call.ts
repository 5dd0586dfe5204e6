import type { CallContext, CallFailure, CallRequest, CallResponse } from '@binnacle/proto';
import { createCallContext, inSpan } from '@binnacle/rpc';
import type { ConnectionPool } from '../connections/connection-pool.ts';
import { type PostAnswer, post } from '../connections/post.ts';
import { resolveTarget, type TargetRules } from '../targets/resolve-target.ts';
import { CallFailed } from '../targets/target.ts';
import type { DispatchMetrics } from './dispatch-metrics.ts';

/** The environment of calls. */
interface CallEnvironment {
  readonly connections: ConnectionPool;
  readonly rules: TargetRules;
  readonly metrics: DispatchMetrics;
  /** Longest body of an answer in bytes. */
  readonly maxAnswerBytes: number;
}

const defaultTimeoutSeconds = 10;
const longestTimeoutSeconds = 30;
const nothing = new Uint8Array(0);

/**
 * Posts a JSON body to a webhook: any HTTP answer is a response, its absence a classified failure. Takes at most the
 * timeout of the request, and what the call has left.
 */
export async function call(
  request: CallRequest,
  context: CallContext,
  environment: CallEnvironment,
): Promise<CallResponse> {
  const timeoutSeconds = Math.min(request.timeoutSeconds || defaultTimeoutSeconds, longestTimeoutSeconds);
  const finished = environment.metrics.begin();
  using bounded = createCallContext({ timeoutMs: timeoutSeconds * 1000, parent: context });
  let failure: CallFailure = 'NONE';
  try {
    const timed = { ...request, timeoutSeconds };
    const answer = await (bounded.trace?.isSampled === true
      ? dispatchInSpan(timed, bounded, environment)
      : dispatch(timed, bounded, environment));
    return { failure, failureMessage: '', ...answer };
  } catch (thrown) {
    if (!(thrown instanceof CallFailed)) throw thrown;
    const failed = bounded.signal.aborted ? timedOut(timeoutSeconds) : thrown;
    failure = failed.failure;
    return responseWithout(failed);
  } finally {
    finished(failure);
  }
}

function dispatchInSpan(
  request: CallRequest,
  bounded: CallContext,
  environment: CallEnvironment,
): Promise<PostAnswer> {
  const span = { name: 'HTTP POST', kind: 'client', attributes: { caller: request.caller } } as const;
  return inSpan(bounded, span, call => dispatch(request, call, environment));
}

async function dispatch(
  request: CallRequest,
  bounded: CallContext,
  { connections, rules, maxAnswerBytes }: CallEnvironment,
): Promise<PostAnswer> {
  const target = await resolveTarget(request, rules, bounded);
  using connection = connections.take(target);
  const { body } = request;
  const { signal, trace } = bounded;
  return await post({ target, agent: connection.agent, body, signal, trace, maxAnswerBytes });
}

function timedOut(seconds: number): CallFailed {
  return new CallFailed('TIMEOUT', `deadline exceeded: no answer within ${seconds}s`);
}

function responseWithout({ failure, message }: CallFailed): CallResponse {
  return { failure, failureMessage: message, status: 0, contentType: '', body: nothing };
}
