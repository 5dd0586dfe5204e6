import { Backoff } from '@binnacle/event-loop';
import type { CallContext, CallResponse, WebhookDispatchService } from '@binnacle/proto';
import { errorMessage } from '@binnacle/status-errors';
import type { ImagePolicy } from './image-policy.ts';
import { type ImageReviewStatus, parseImageReview } from './image-review.ts';

/** The failure of a backend: unreachable, or without a valid answer. The message says why. */
export class BackendFailed extends Error {}

/** Options of a call to an image policy backend. */
export interface BackendOptions {
  readonly policy: ImagePolicy;
  readonly dispatch: WebhookDispatchService;
}

const attempts = 5;
const backoffFactor = 1.5;
const timeoutSeconds = 30;

/**
 * Sends a spec in JSON to the backend, and retries with growing pauses while it is unreachable or answers with a server error.
 * Throws BackendFailed when there is no answer, and the reason of the call's end when the call ends first.
 */
export async function askBackend(
  spec: string,
  call: CallContext,
  options: BackendOptions,
): Promise<ImageReviewStatus> {
  const backoff = new Backoff({ firstMs: options.policy.retryBackoffMs, factor: backoffFactor });
  for (let attempt = 1; ; attempt++) {
    const response = await send(spec, call, options);
    const failure = describeFailure(response);
    if (failure === undefined) return readAnswer(response, options.policy);
    if (attempt === attempts || !isWorthRetrying(response)) throw new BackendFailed(failure);
    await backoff.wait(call.signal);
    call.signal.throwIfAborted();
  }
}

async function send(
  spec: string,
  call: CallContext,
  { policy, dispatch }: BackendOptions,
): Promise<CallResponse> {
  const body = `{"kind":"ImageReview","apiVersion":"${policy.apiVersion}","spec":${spec}}`;
  try {
    return await dispatch.call(
      { ...policy.backend, body: Buffer.from(body), timeoutSeconds, caller: 'ImagePolicyWebhook' },
      call,
    );
  } catch (thrown) {
    if (call.signal.aborted) throw thrown;
    throw new BackendFailed('webhook-dispatch is not available');
  }
}

function describeFailure({ failure, failureMessage, status }: CallResponse): string | undefined {
  if (failure !== 'NONE') return failureMessage;
  return status === 200 || status === 201 ? undefined : `it answered with status ${status}`;
}

function isWorthRetrying({ failure, status }: CallResponse): boolean {
  return failure === 'CONNECTION' || failure === 'TIMEOUT' || status === 429 || status >= 500;
}

function readAnswer({ body }: CallResponse, { apiVersion }: ImagePolicy): ImageReviewStatus {
  try {
    return parseImageReview(body, apiVersion);
  } catch (thrown) {
    throw new BackendFailed(thrown instanceof SyntaxError ? 'its answer is not JSON' : errorMessage(thrown));
  }
}
