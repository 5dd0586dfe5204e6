import { addQuantities, compareQuantities, type Quantity } from '@binnacle/api-objects';
import { isExtendedResource, parseAmount } from '../core/resource-amounts/standard-resources.ts';
import type { Container, Pod, PodSpec, ResourceRequirements } from '../generated/core/v1.ts';
import { isInPodScope } from './pod-scopes.ts';
import { nothing, onePiece, type Usage } from './usage.ts';
import type { UsageEvaluator } from './usage-evaluator.ts';

const compute = ['cpu', 'memory', 'ephemeral-storage'] as const;
const names = new Set([
  'count/pods',
  'pods',
  ...compute.flatMap(name => [name, `requests.${name}`, `limits.${name}`]),
]);
/** Resources that each container must specify when a quota limits them. */
const mustBeSaid = new Set(['cpu', 'memory'].flatMap(name => [name, `requests.${name}`, `limits.${name}`]));

/** Quota usage of pods: their number, and the requests and limits of their containers. Only `count/pods` counts terminated pods. */
export const podUsage: UsageEvaluator = {
  counts: name =>
    names.has(name) ||
    name.startsWith('hugepages-') ||
    name.startsWith('requests.hugepages-') ||
    (name.startsWith('requests.') && isExtendedResource(name.slice('requests.'.length))),
  computeUsage,
  isInScope: isInPodScope,
  unsaid,
  limitsUpdates: false,
};

type Amounts = Map<string, Quantity>;

function computeUsage(pod: Pod): Usage {
  const usage: Amounts = new Map([['count/pods', onePiece]]);
  if (isThrough(pod)) return usage;
  const spec = pod.spec ?? {};
  usage.set('pods', onePiece);
  putUsed(usage, { requests: addContainers(spec, 'requests'), limits: addContainers(spec, 'limits') });
  return usage;
}

/** Whether a pod has terminated; a pod whose node has not reported it still counts. */
function isThrough(pod: Pod): boolean {
  const phase = pod.status?.phase ?? '';
  return phase === 'Succeeded' || phase === 'Failed';
}

/**
 * Returns the larger of the containers' sum and each init container's amount, because init containers run before, one after
 * another; adds the overhead.
 */
function addContainers(spec: PodSpec, list: 'requests' | 'limits'): Amounts {
  const total: Amounts = new Map();
  for (const container of spec.containers ?? [])
    for (const [name, amount] of parseAmounts(container, list))
      total.set(name, addQuantities(total.get(name) ?? nothing, amount));
  for (const container of spec.initContainers ?? [])
    for (const [name, amount] of parseAmounts(container, list))
      if (compareQuantities(amount, total.get(name) ?? nothing) > 0) total.set(name, amount);
  for (const [name, amount] of parsed(spec.overhead))
    total.set(name, addQuantities(total.get(name) ?? nothing, amount));
  return total;
}

function parseAmounts(container: Container, list: 'requests' | 'limits'): Iterable<[string, Quantity]> {
  return parsed(container.resources?.[list]);
}

function* parsed(amounts: ResourceRequirements['limits']): Iterable<[string, Quantity]> {
  if (amounts === undefined) return;
  for (const [name, value] of Object.entries(amounts)) {
    const amount = parseAmount(value);
    if (amount !== undefined) yield [name, amount];
  }
}

interface Asked {
  readonly requests: Iterable<readonly [string, Quantity]>;
  readonly limits: Iterable<readonly [string, Quantity]>;
}

/** Records requests and limits under their quota names. */
function putUsed(usage: Amounts, { requests, limits }: Asked): void {
  for (const [name, amount] of requests) {
    const isCompute = compute.some(one => one === name);
    if (isCompute || name.startsWith('hugepages-')) usage.set(name, amount);
    if (isCompute || name.startsWith('hugepages-') || isExtendedResource(name))
      usage.set(`requests.${name}`, amount);
  }
  for (const [name, amount] of limits)
    if (compute.some(one => one === name)) usage.set(`limits.${name}`, amount);
}

function unsaid(pod: Pod, limited: readonly string[]): string {
  const required = limited.filter(name => mustBeSaid.has(name)).sort();
  if (required.length === 0) return '';
  const spec = pod.spec ?? {};
  const silent = new Map<string, string[]>();
  for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    const said: Amounts = new Map();
    putUsed(said, {
      requests: parseAmounts(container, 'requests'),
      limits: parseAmounts(container, 'limits'),
    });
    for (const name of required)
      if (!said.has(name)) silent.set(name, [...(silent.get(name) ?? []), container.name ?? '']);
  }
  const texts = required.flatMap(name => {
    const who = silent.get(name);
    return who === undefined ? [] : [`${name} for: ${who.join(',')}`];
  });
  return texts.length === 0 ? '' : `must specify ${texts.join('; ')}`;
}
