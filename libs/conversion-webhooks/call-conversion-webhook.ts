import { type ApiObject, formatApiVersion, randomUid } from '@binnacle/api-objects';
import type { CalledService, ConversionWebhook, ResourceDefinition } from '@binnacle/api-types';
import type { CallContext, CallResponse, ServiceAddress, WebhookDispatchService } from '@binnacle/proto';
import { errorMessage } from '@binnacle/status-errors';
import {
  type ConversionQuestion,
  parseConversionReview,
  writeConversionReview,
} from './conversion-review.ts';
import { convertedObject } from './converted-object.ts';

/** A version of a kind whose objects a webhook converts. */
export type WebhookConverted = ResourceDefinition & { readonly conversionWebhook: ConversionWebhook };

/** Whether a webhook has a part in the objects of a definition. */
export function isWebhookConverted(definition: ResourceDefinition): definition is WebhookConverted {
  return definition.conversionWebhook !== undefined;
}

/** One call of a conversion webhook. */
interface ConversionCall {
  /** The name of the definition. */
  readonly definition: string;
  /** Group and version of the objects; of the first, where they differ. */
  readonly from: string;
  readonly to: string;
}

/** The services that a call of a conversion webhook needs. */
export interface ConversionCalls {
  /** Undefined: this server calls no webhooks, and such a conversion fails. */
  readonly dispatch: WebhookDispatchService | undefined;
  /** Where a service is; undefined when there is no such service, or none that has an address for the port. */
  findAddress(
    service: CalledService,
    call: CallContext,
  ): ServiceAddress | undefined | Promise<ServiceAddress | undefined>;
  /** A call begins; what it returns is called with its end. */
  begin(call: ConversionCall): (succeeded: boolean) => void;
}

/** A conversion that failed; the message says of what, and why, in the words of the webhook where it gave a reason. */
export class ConversionFailed extends Error {}

/** The longest that a webhook may take for one call. */
export const conversionTimeoutSeconds = 30;

/**
 * Has a webhook convert objects, each from the version that it says, to that of a definition, without what that version
 * does not know; they come back in their order. Throws ConversionFailed when one of them cannot be converted, and what ended
 * the call when that ended.
 */
export async function callConversionWebhook(
  to: WebhookConverted,
  objects: readonly ApiObject[],
  { calls, call }: { readonly calls: ConversionCalls; readonly call: CallContext },
): Promise<readonly ApiObject[]> {
  const { conversionWebhook: webhook, kind } = to;
  const apiVersion = formatApiVersion(to);
  const from = objects[0]?.apiVersion ?? '';
  const finished = calls.begin({ definition: webhook.name, from, to: apiVersion });
  let succeeded = false;
  try {
    const answers = await ask(webhook, { objects, desiredAPIVersion: apiVersion }, { calls, call });
    const converted = objects.map((object, index) => {
      const answer = at(index, () => convertedObject(object, answers[index] ?? {}, { apiVersion, kind }));
      to.message.structure?.prune(answer, () => {});
      return answer;
    });
    succeeded = true;
    return converted;
  } catch (thrown) {
    if (call.signal.aborted) throw thrown;
    throw failed(`${from}, Kind=${kind}`, thrown);
  } finally {
    finished(succeeded);
  }
}

/** Says of which object it is what is wrong with one of them. */
function at<T>(index: number, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    const why = errorMessage(thrown);
    throw new Error(`the returned object at index ${index} does not match: ${why}`);
  }
}

async function ask(
  webhook: ConversionWebhook,
  asked: Pick<ConversionQuestion, 'objects' | 'desiredAPIVersion'>,
  { calls, call }: { readonly calls: ConversionCalls; readonly call: CallContext },
) {
  const { reviewVersion, reviewGroup } = webhook;
  if (reviewVersion === undefined)
    throw new Error('none of its conversionReviewVersions is known to this server');
  const question = { ...asked, reviewVersion, reviewGroup, uid: randomUid() };
  const response = await send(webhook, await writeConversionReview(question), { calls, call });
  if (response.failure !== 'NONE') throw new Error(response.failureMessage);
  if (response.status !== 200) throw new Error(`the answer has the status ${response.status}`);
  return await parseConversionReview(response.body, question);
}

async function send(
  webhook: ConversionWebhook,
  body: Uint8Array,
  { calls, call }: { readonly calls: ConversionCalls; readonly call: CallContext },
): Promise<CallResponse> {
  const { dispatch } = calls;
  if (dispatch === undefined) throw new Error('this server has no webhook-dispatch');
  const { name: caller, url, service, caBundle } = webhook;
  const address = service && (await calls.findAddress(service, call));
  try {
    return await dispatch.call(
      {
        ...(service === undefined ? {} : { service: { ...service } }),
        ...(address === undefined ? {} : { address }),
        url,
        caBundle,
        body,
        timeoutSeconds: conversionTimeoutSeconds,
        caller,
      },
      call,
    );
  } catch (thrown) {
    if (call.signal.aborted) throw thrown;
    throw new Error('webhook-dispatch is not available', { cause: thrown });
  }
}

function failed(objects: string, cause: unknown): ConversionFailed {
  const why = errorMessage(cause);
  return new ConversionFailed(`conversion webhook for ${objects} failed: ${why}`, { cause });
}
