import { type ApiObject, formatQuantity, type JsonObject } from '@binnacle/api-objects';
import { asObject, asObjects, asText, ensureObject } from '@binnacle/api-types';
import type { Amounts, LimitItem } from './limit-items.ts';

const annotation = 'cluster.io/limit-ranger';

/**
 * Gives containers what they do not say, from the items for containers of LimitRanges in their order, and notes it in an
 * annotation of the pod. Answers whether anything changed.
 */
export function applyLimitDefaults(pod: ApiObject, spec: JsonObject, items: readonly LimitItem[]): boolean {
  const notes: string[] = [];
  for (const item of items) {
    if (item.type !== 'Container') continue;
    for (const [list, kind] of [
      ['containers', 'container'],
      ['initContainers', 'init container'],
    ] as const)
      for (const container of asObjects(spec[list])) notes.push(...complete(container, kind, item));
  }
  if (notes.length === 0) return false;
  pod.metadata.annotations = {
    ...pod.metadata.annotations,
    [annotation]: `LimitRanger plugin set: ${notes.join('; ')}`,
  };
  return true;
}

function complete(container: JsonObject, kind: string, item: LimitItem): string[] {
  const name = asText(container['name']);
  return [
    ...noteOf(fillIn(container, 'requests', item.defaultRequest), `request for ${kind} ${name}`),
    ...noteOf(fillIn(container, 'limits', item.default), `limit for ${kind} ${name}`),
  ];
}

function noteOf(resources: readonly string[], what: string): string[] {
  return resources.length === 0 ? [] : [`${resources.join(', ')} ${what}`];
}

/** The resources that were missing, in the order of their names. */
function fillIn(container: JsonObject, list: 'limits' | 'requests', defaults: Amounts): string[] {
  const present = asObject(asObject(container['resources'])?.[list]) ?? {};
  const missing = [...defaults.keys()].filter(name => present[name] === undefined);
  if (missing.length === 0) return missing;
  const amounts = ensureObject(ensureObject(container, 'resources'), list);
  for (const name of missing) {
    const amount = defaults.get(name);
    if (amount !== undefined) amounts[name] = formatQuantity(amount);
  }
  return missing;
}
