import { qosClassFromSpec } from '@binnacle/api-types';
import type { Mutation } from '../../chain/plugin.ts';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { isOfOwnKind, type Review } from '../../chain/review.ts';
import { forbidWrite, newPodToChange, podUnderCreation } from '../pods/pod-review.ts';
import { applyLimitDefaults } from './apply-defaults.ts';
import { createLimitSource, type LimitItem, type LimitSource } from './limit-items.ts';
import { claimViolations, podViolations } from './limit-violations.ts';

const limitRanges = { group: '', version: 'v1', resource: 'limitranges' };

/** LimitRanger, on by default: applies the LimitRanges of a namespace to new pods, and to claims for volumes. */
export const limitRanger: PluginRegistration = {
  name: 'LimitRanger',
  byDefault: true,
  concerns: ['/pods', '/persistentvolumeclaims'],
  reads: [limitRanges],
  create({ objects }) {
    const limits = createLimitSource(objects.reader(limitRanges));
    return {
      name: 'LimitRanger',
      mutate: review => applyDefaultsTo(review, limits),
      validate: review => assertWithinLimits(review, limits),
    };
  },
};

async function applyDefaultsTo(review: Review, limits: LimitSource): Promise<Mutation> {
  if (podUnderCreation(review) === undefined) return 'unchanged';
  const items = await limits.of(review);
  const created = newPodToChange(review);
  if (created === undefined) return 'unchanged';
  const { pod, spec } = created;
  if (!applyLimitDefaults(pod, spec, items)) return 'unchanged';
  pod.status ??= {};
  pod.status.qosClass = qosClassFromSpec(spec);
  return 'changed';
}

async function assertWithinLimits(review: Review, limits: LimitSource): Promise<void> {
  const violationsOf = limitCheckFor(review);
  if (violationsOf === undefined) return;
  const violations = violationsOf(await limits.of(review));
  if (violations.length > 0) throw forbidWrite(review, violations.join('; '));
}

/** Returns the check of the object under review against limits; undefined when no limits apply to it. */
function limitCheckFor(review: Review): ((items: readonly LimitItem[]) => string[]) | undefined {
  const created = podUnderCreation(review);
  if (created !== undefined) return items => podViolations(created.spec, items);
  const claim = claimUnderReview(review);
  if (claim === undefined) return undefined;
  const { oldObject: old } = review;
  return items => {
    // A limit that is newer than the claim does not refuse an update with the same request.
    const inherited = new Set(old === undefined ? [] : claimViolations(old, items));
    return claimViolations(claim, items).filter(violation => !inherited.has(violation));
  };
}

/** Returns a claim that is created or changed, unless it is being deleted. */
function claimUnderReview(review: Review) {
  const { definition, operation, subresource, object, oldObject } = review;
  if (definition.group !== '' || definition.resource !== 'persistentvolumeclaims') return undefined;
  if (subresource !== '' || (operation !== 'CREATE' && operation !== 'UPDATE')) return undefined;
  if (oldObject?.metadata.deletionTimestamp !== undefined) return undefined;
  return isOfOwnKind(review) ? object : undefined;
}
