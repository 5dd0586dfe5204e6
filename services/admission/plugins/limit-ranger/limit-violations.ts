import { compareQuantities, formatQuantity, type Quantity } from '@binnacle/api-objects';
import type { PersistentVolumeClaim, PodSpec } from '@binnacle/api-types/core/v1';
import type { LimitItem } from './limit-items.ts';
import { podUseOf, type ResourceUse, resourceUseOf } from './resource-use.ts';

/** How a pod breaks the limits of its namespace, one sentence each; empty when it does not. */
export function podViolations(spec: PodSpec, items: readonly LimitItem[]): string[] {
  return items.flatMap(item => {
    if (item.type === 'Pod') return computeViolations(item, podUseOf(spec));
    if (item.type !== 'Container') return [];
    const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
    return containers.flatMap(container => computeViolations(item, resourceUseOf(container)));
  });
}

/** How a claim to a volume breaks the limits of its namespace: what counts is what it requests. */
export function claimViolations({ spec }: PersistentVolumeClaim, items: readonly LimitItem[]): string[] {
  const { requests } = resourceUseOf(spec);
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

/** Exact: limit / request > bound is limit > bound × request. */
function beyondRatio({ type, name, bound }: Bound, { request, limit }: Used): string[] {
  const rule = `the limit of ${name} of a ${type} must be at most ${formatQuantity(bound)} times the request`;
  if (request === undefined || request.nanos === 0n) return [`${rule}, and there is no request`];
  if (limit === undefined || limit.nanos === 0n) return [`${rule}, and there is no limit`];
  return limit.nanos * nano > bound.nanos * request.nanos
    ? [`${rule}, but it is ${formatQuantity(limit)} of ${formatQuantity(request)}`]
    : [];
}
