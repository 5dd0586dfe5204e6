import { auditKeys } from '@binnacle/api-names';
import type { JsonValue } from '@binnacle/api-objects';
import type { Review } from '../../chain/review.ts';
import type { Webhook } from '../webhooks/webhook.ts';

/** The place of one call in the course of a review. */
export interface CallPlace {
  /** 0, or 1 when webhooks are asked again. */
  readonly round: number;
  /** The webhook's place among all mutating webhooks, from 0. */
  readonly order: number;
}

/** Notes that a webhook was asked, and whether it changed the object (spec 2, "Events" 1). */
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

/** Notes the patch that a webhook answered with (spec 2, "Events" 1). */
export function notePatch(
  { auditAnnotations }: Review,
  webhook: Webhook,
  { patch, ...place }: CallPlace & { readonly patch: readonly JsonValue[] },
): void {
  const { configuration, name } = webhook;
  const value = { configuration, webhook: name, patch, patchType: 'JSONPatch' };
  auditAnnotations[auditKeys.patch + placeName(place)] = JSON.stringify(value);
}

/** The key of the annotation that says that a webhook failed and the write went on. */
export function failedOpenKey(place: CallPlace): string {
  return auditKeys.failedOpenMutating + placeName(place);
}

function placeName({ round, order }: CallPlace): string {
  return `round_${round}_index_${order}`;
}
