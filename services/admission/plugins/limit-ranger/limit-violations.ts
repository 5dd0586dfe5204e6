import { addQuantities, compareQuantities, formatQuantity, type Quantity } from '@binnacle/api-objects';
import type { PersistentVolumeClaim, PodSpec, ResourceRequirements } from '@binnacle/api-types/core/v1';
import { type Amounts, amountsFrom, type LimitItem } from './limit-items.ts';

/** Lists how a pod breaks the limits of its namespace, one sentence each. */
export function podViolations(spec: PodSpec, items: readonly LimitItem[]): string[] {
  return items.flatMap(item => {
    if (item.type === 'Pod') return computeViolations(item, addPodUse(spec));
    if (item.type !== 'Container') return [];
    const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
    return containers.flatMap(container => computeViolations(item, readResourceUse(container)));
  });
}

/** Lists how the request of a claim for a volume breaks the limits of its namespace. */
export function claimViolations({ spec }: PersistentVolumeClaim, items: readonly LimitItem[]): string[] {
  const { requests } = readResourceUse(spec);
  return items
    .filter(({ type }) => type === 'PersistentVolumeClaim')
    .flatMap(item => [
      ...[...item.min].flatMap(([name, least]) =>
        below({ type: item.type, name, bound: least }, { request: requests.get(name) }),
      ),
      ...[...item.max].flatMap(([name, most]) =>
        requestAbove({ type: item.type, name, bound: most }, requests.get(name)),
      ),
    ]);
}

function computeViolations({ type, min, max, maxLimitRequestRatio }: LimitItem, use: ResourceUse): string[] {
  const used = (name: string): Used => ({ request: use.requests.get(name), limit: use.limits.get(name) });
  return [
    ...[...min].flatMap(([name, bound]) => below({ type, name, bound }, used(name))),
    ...[...max].flatMap(([name, bound]) => above({ type, name, bound }, used(name))),
    ...[...maxLimitRequestRatio].flatMap(([name, bound]) => beyondRatio({ type, name, bound }, used(name))),
  ];
}

/** One bound on one resource. */
interface Bound {
  /** Container, Pod or PersistentVolumeClaim. */
  readonly type: string;
  readonly name: string;
  readonly bound: Quantity;
}

interface Used {
  readonly request?: Quantity | undefined;
  readonly limit?: Quantity | undefined;
}

function below({ type, name, bound }: Bound, { request, limit }: Used): string[] {
  const rule = `${name} of a ${type} must be at least ${formatQuantity(bound)}`;
  if (request === undefined) return [`${rule}, and there is no request`];
  if (compareQuantities(request, bound) < 0)
    return [`${rule}, but the request is ${formatQuantity(request)}`];
  if (limit !== undefined && compareQuantities(limit, bound) < 0)
    return [`${rule}, but the limit is ${formatQuantity(limit)}`];
  return [];
}

function above({ type, name, bound }: Bound, { request, limit }: Used): string[] {
  const rule = `${name} of a ${type} must be at most ${formatQuantity(bound)}`;
  if (limit === undefined) return [`${rule}, and there is no limit`];
  if (compareQuantities(limit, bound) > 0) return [`${rule}, but the limit is ${formatQuantity(limit)}`];
  if (request !== undefined && compareQuantities(request, bound) > 0)
    return [`${rule}, but the request is ${formatQuantity(request)}`];
  return [];
}

function requestAbove({ type, name, bound }: Bound, request: Quantity | undefined): string[] {
  const rule = `${name} of a ${type} must be at most ${formatQuantity(bound)}`;
  if (request === undefined) return [`${rule}, and there is no request`];
  return compareQuantities(request, bound) > 0
    ? [`${rule}, but the request is ${formatQuantity(request)}`]
    : [];
}

const nano = 1_000_000_000n;

/** Checks the ratio of limit to request, exactly: limit / request > bound is limit > bound × request. */
function beyondRatio({ type, name, bound }: Bound, { request, limit }: Used): string[] {
  const rule = `the limit of ${name} of a ${type} must be at most ${formatQuantity(bound)} times the request`;
  if (request === undefined || request.nanos === 0n) return [`${rule}, and there is no request`];
  if (limit === undefined || limit.nanos === 0n) return [`${rule}, and there is no limit`];
  return limit.nanos * nano > bound.nanos * request.nanos
    ? [`${rule}, but it is ${formatQuantity(limit)} of ${formatQuantity(request)}`]
    : [];
}

/** The requested amounts and the limits of a pod or container. */
interface ResourceUse {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** The content of the `resources` of a container or a volume claim. */
function readResourceUse(owner: { readonly resources?: ResourceRequirements } | undefined): ResourceUse {
  const resources = owner?.resources;
  return { requests: amountsFrom(resources?.requests), limits: amountsFrom(resources?.limits) };
}

/** Computes the amounts of a pod: the sum of its containers, or the amount of an init container where that is larger. */
function addPodUse(spec: PodSpec): ResourceUse {
  const running = (spec.containers ?? []).map(readResourceUse);
  const before = (spec.initContainers ?? []).map(readResourceUse);
  return {
    requests: together(running.map(pickRequests), before.map(pickRequests)),
    limits: together(running.map(pickLimits), before.map(pickLimits)),
  };
}

const pickRequests = ({ requests }: ResourceUse): Amounts => requests;
const pickLimits = ({ limits }: ResourceUse): Amounts => limits;

function together(running: readonly Amounts[], before: readonly Amounts[]): Amounts {
  const result = new Map<string, Quantity>();
  const merge = (amounts: Amounts, combine: (known: Quantity, amount: Quantity) => Quantity) => {
    for (const [name, amount] of amounts) {
      const known = result.get(name);
      result.set(name, known === undefined ? amount : combine(known, amount));
    }
  };
  for (const amounts of running) merge(amounts, addQuantities);
  for (const amounts of before) merge(amounts, (a, b) => (compareQuantities(a, b) < 0 ? b : a));
  return result;
}
