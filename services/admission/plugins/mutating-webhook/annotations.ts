import { auditKeys } from '@binnacle/api-names';
import type { JsonValue } from '@binnacle/api-objects';
import type { Review } from '../../chain/review.ts';
import type { Webhook } from '../webhooks/webhook.ts';

/** The position of one webhook call within a review. */
export interface CallPlace {
  /** 0 for the first run, 1 for the reinvocation. */
  readonly round: number;
  /** The webhook's place among all mutating webhooks, from 0. */
  readonly order: number;
}

/** Records a call of a webhook, and whether it changed the object, as an audit annotation (spec 2, "Events" 1). */
export function noteMutation(
  { auditAnnotations }: Review,
  webhook: Webhook,
  { mutated, ...place }: CallPlace & { readonly mutated: boolean },
): void {
  const { configuration, name } = webhook;
  auditAnnotations[auditKeys.mutation + placeName(place)] = JSON.stringify({
    configuration,
    webhook: name,
    mutated,
  });
}

/** Records the patch of a webhook as an audit annotation (spec 2, "Events" 1). */
export function notePatch(
  { auditAnnotations }: Review,
  webhook: Webhook,
  { patch, ...place }: CallPlace & { readonly patch: readonly JsonValue[] },
): void {
  const { configuration, name } = webhook;
  const value = { configuration, webhook: name, patch, patchType: 'JSONPatch' };
  auditAnnotations[auditKeys.patch + placeName(place)] = JSON.stringify(value);
}

/** Returns the key of the audit annotation for a webhook that failed while the write went on. */
export function failedOpenKey(place: CallPlace): string {
  return auditKeys.failedOpenMutating + placeName(place);
}

function placeName({ round, order }: CallPlace): string {
  return `round_${round}_index_${order}`;
}
