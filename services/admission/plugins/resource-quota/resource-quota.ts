import { type ApiObject, addQuantities, equalJson, formatQuantity } from '@binnacle/api-objects';
import {
  findUsageEvaluator,
  objectKey,
  type QuotaState,
  quotaStateFrom,
  type Usage,
  type UsageEvaluator,
  usageCovered,
  usageDifference,
} from '@binnacle/api-types';
import type { ResourceQuota } from '@binnacle/api-types/core/v1';
import { encodeStored } from '@binnacle/codecs';
import type { JointWrite } from '@binnacle/proto';
import { forbidden } from '@binnacle/status-errors';
import type { AdmissionPlugin } from '../../chain/plugin.ts';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { isOfOwnKind, type Review } from '../../chain/review.ts';
import type { ObjectReader } from '../../sources/objects.ts';
import { findRefusal } from './find-refusal.ts';
import { type LimitedResource, limitedResourcesFrom, missingQuota } from './limited-resources.ts';
import { createQuotaSource, type QuotaSource, type SeenQuota } from './quota-source.ts';

const namespaces = { group: '', version: 'v1', resource: 'namespaces' };
const pods = { group: '', version: 'v1', resource: 'pods' };
const resourceQuotas = { group: '', version: 'v1', resource: 'resourcequotas' };

/** ResourceQuota, on by default. */
export const resourceQuota: PluginRegistration = {
  name: 'ResourceQuota',
  byDefault: true,
  reads: [resourceQuotas],
  configurable: true,
  create: ({ objects, configuration }) =>
    createResourceQuota({
      quotas: createQuotaSource(objects.cache(resourceQuotas), objects.reader(resourceQuotas)),
      namespaces: objects.reader(namespaces),
      pods: objects.reader(pods),
      limited: limitedResourcesFrom(configuration),
      ready: ({ call }) => objects.ready(call),
    }),
};

/** Options of the plugin. */
interface ResourceQuotaOptions {
  readonly quotas: QuotaSource;
  readonly namespaces: Pick<ObjectReader, 'definition' | 'findCurrent'>;
  readonly pods: Pick<ObjectReader, 'findCurrent'>;
  /** The resources that need a quota. */
  readonly limited: readonly LimitedResource[];
  /** Resolves once the cache has every quota. */
  ready(review: Review): Promise<void> | undefined;
}

/** The most quotas to which one write is charged: as many as fit into a transaction with the object. */
const mostCharged = 48;

/**
 * ResourceQuota: refuses writes that would exceed a quota of their namespace, and writes the usage into the status of the quota in
 * the transaction of the write.
 *
 * Every write that changes usage writes the quota, even where the quota does not limit it: the deletion of an object gives its usage
 * back, and so does a pod that ends. So either the quota is unchanged between review and commit, or the write is reviewed again; and
 * a recount whose precondition is the revision from before the count has missed nothing.
 */
function createResourceQuota(options: ResourceQuotaOptions): AdmissionPlugin {
  return {
    name: 'ResourceQuota',
    validate(review) {
      const evaluator = evaluatorFor(review);
      if (evaluator === undefined) return;
      const waiting = options.ready(review);
      const quotas = waiting?.then(() => quotasFor(review, options)) ?? quotasFor(review, options);
      const countsNowhere = !(quotas instanceof Promise) && quotas.length === 0;
      if (countsNowhere && options.limited.length === 0 && !isAboutQuotas(review)) return;
      return charge(review, evaluator, quotas);
    },
  };

  async function charge(
    review: Review,
    evaluator: UsageEvaluator,
    quotas: readonly SeenQuota[] | Promise<readonly SeenQuota[]>,
  ): Promise<void> {
    const own = findOwnKey(review);
    const found = await quotas;
    const others = found.filter(({ key }) => key !== own);
    const change = isEviction(review) ? await readEviction(review, others, options.pods) : review;
    const charges = createCharges(change, others, evaluator);
    for (const each of charges) assertAllowed(review, each, evaluator);
    assertSufficient(review, others, { evaluator, limited: options.limited });
    for (const each of charges) pushJointWrites(review, each);
    limitJointWrites(review);
    const touched = await touchedNamespace(review, options.namespaces);
    if (touched !== undefined) review.jointWrites.push(touched);
  }
}

/**
 * Returns the quotas of the namespace: from the cache where that is at least as new as the namespace in the preconditions, else
 * from the store.
 */
function quotasFor(
  { namespace, isRetry, preconditions, call }: Review,
  { quotas, namespaces }: ResourceQuotaOptions,
): readonly SeenQuota[] | Promise<readonly SeenQuota[]> {
  if (isRetry) return quotas.current(namespace, call);
  const key = objectKey(namespaces.definition, '', namespace);
  const namespaceRevision = preconditions.find(one => one.key === key)?.revision ?? 0;
  return quotas.revision < namespaceRevision ? quotas.current(namespace, call) : quotas.cached(namespace);
}

/**
 * Returns the evaluator of a write that can change usage. Among subresources that is the status, where a pod ends, and the eviction
 * of a pod.
 */
function evaluatorFor(review: Review): UsageEvaluator | undefined {
  const { definition, namespace, operation, subresource } = review;
  if (namespace === '' || operation === 'CONNECT') return undefined;
  if (isEviction(review)) return findUsageEvaluator(definition);
  if (!isOfOwnKind(review) || (subresource !== '' && subresource !== 'status')) return undefined;
  return findUsageEvaluator(definition);
}

function isEviction({ definition, subresource }: Review): boolean {
  return definition.group === '' && definition.resource === 'pods' && subresource === 'eviction';
}

/** Reads the pod that an eviction deletes, and makes its revision a precondition. */
async function readEviction(
  { namespace, name, call, preconditions }: Review,
  quotas: readonly SeenQuota[],
  pods: ResourceQuotaOptions['pods'],
): Promise<Pick<Review, 'object' | 'oldObject'>> {
  const pod = quotas.length === 0 ? undefined : await pods.findCurrent(namespace, name, call);
  if (pod !== undefined) preconditions.push({ key: pod.key, revision: pod.revision });
  return { object: undefined, oldObject: pod?.parse() };
}

function isAboutQuotas({ definition }: Review): boolean {
  return definition.group === '' && definition.resource === 'resourcequotas';
}

/** Returns the key of a quota under review: it is not charged in the transaction that writes it. */
function findOwnKey(review: Review): string {
  const { namespace, name, definition } = review;
  return isAboutQuotas(review) && name !== '' ? objectKey(definition, namespace, name) : '';
}

interface Charge {
  readonly quota: SeenQuota;
  /** The change of usage when the object is stored. */
  readonly onStore: Usage;
  readonly onRemoval: Usage;
}

function createCharges(
  { object, oldObject }: Pick<Review, 'object' | 'oldObject'>,
  quotas: readonly SeenQuota[],
  evaluator: UsageEvaluator,
): Charge[] {
  return quotas.map(quota => {
    const covered = (counted: ApiObject | undefined) => usageCovered(quota.state, evaluator, counted);
    const before = covered(oldObject);
    const mayGo = object === undefined || object.metadata.deletionTimestamp !== undefined;
    return {
      quota,
      onStore: object === undefined ? noChange : usageDifference(covered(object), before),
      onRemoval: mayGo ? usageDifference(noChange, before) : noChange,
    };
  });
}

const noChange: Usage = new Map();

function assertAllowed(review: Review, { quota, onStore }: Charge, evaluator: UsageEvaluator): void {
  const { object, operation, subresource, definition, name } = review;
  const creates = operation === 'CREATE';
  if (object === undefined || subresource !== '' || !(creates || evaluator.limitsUpdates)) return;
  const refusal = findRefusal({ quota: quota.state, evaluator, object, creates, change: onStore });
  if (refusal === undefined) return;
  const { group, resource } = definition;
  throw forbidden({ group, resource }, object.metadata.name ?? name, refusal);
}

/** Refuses a creation that needs a quota and has none. */
function assertSufficient(
  { operation, subresource, definition, object, name }: Review,
  quotas: readonly SeenQuota[],
  { evaluator, limited }: Pick<ResourceQuotaOptions, 'limited'> & { readonly evaluator: UsageEvaluator },
): void {
  if (limited.length === 0 || operation !== 'CREATE' || subresource !== '' || object === undefined) return;
  const states = quotas.map(({ state }) => state);
  const why = missingQuota(limited, { definition, evaluator, object, quotas: states });
  if (why === undefined) return;
  const { group, resource } = definition;
  throw forbidden({ group, resource }, object.metadata.name ?? name, why);
}

function pushJointWrites({ jointWrites }: Review, { quota, onStore, onRemoval }: Charge): void {
  const { key, revision } = quota;
  for (const [change, isRemoval] of [
    [onStore, false],
    [onRemoval, true],
  ] as const) {
    if (change.size === 0) continue;
    const value = encodeStored(chargedQuota(quota.parse(), quota.state, change));
    jointWrites.push({ key, revision, value, onRemoval: isRemoval });
  }
}

/**
 * Refuses a write with too many joint writes. A deletion is never refused: its surplus is dropped, and the recount corrects that
 * usage.
 */
function limitJointWrites(review: Review): void {
  const { jointWrites, definition, object, name } = review;
  if (jointWrites.length <= mostCharged) return;
  if (object === undefined || isEviction(review)) {
    jointWrites.length = mostCharged;
    return;
  }
  const { group, resource } = definition;
  const why = `it counts for more than ${mostCharged} quotas of its namespace, which cannot be charged together`;
  throw forbidden({ group, resource }, object.metadata.name ?? name, why);
}

/**
 * Returns the unchanged namespace as a joint write of a quota that is new or counts other resources than before; undefined for other
 * writes.
 *
 * Every creation has the revision of its namespace as a precondition. So no creation that was reviewed without the quota is committed
 * after it, and the revision of the namespace is the lowest revision at which a review may read quotas.
 */
async function touchedNamespace(
  { definition, object, oldObject, namespace, call }: Review,
  namespaces: Pick<ObjectReader, 'findCurrent'>,
): Promise<JointWrite | undefined> {
  if (definition.group !== '' || definition.resource !== 'resourcequotas' || object === undefined)
    return undefined;
  if (oldObject !== undefined && equalJson(countedBy(object), countedBy(oldObject))) return undefined;
  const found = await namespaces.findCurrent('', namespace, call);
  if (found === undefined) return undefined;
  const { key, revision } = found;
  return { key, revision, value: encodeStored(found.parse()), onRemoval: false };
}

/** Returns the resources and scopes that a quota counts, without their limits. */
function countedBy(quota: ApiObject) {
  const { names, scopes }: QuotaState = quotaStateFrom(quota);
  return {
    names: [...names].sort(),
    scopes: scopes.map(({ scope, operator, values }) => [scope, operator, ...values]),
  };
}

/**
 * Adds a change of usage to the status of a quota, which it changes. Amounts that the status does not count yet are ignored, and none
 * goes below zero. The object must be written even when it is unchanged, so that a concurrent recount conflicts with it.
 */
export function chargedQuota(quota: ResourceQuota, state: QuotaState, change: Usage): ResourceQuota {
  const { status } = quota;
  if (status === undefined) return quota;
  status.used ??= {};
  for (const [name, more] of change) {
    const before = state.used.get(name);
    if (before === undefined) continue;
    const after = addQuantities(before, more);
    status.used[name] = after.nanos < 0n ? '0' : formatQuantity(after);
  }
  return quota;
}
