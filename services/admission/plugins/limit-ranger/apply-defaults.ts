import { annotations } from '@binnacle/api-names';
import type { Container, Pod, PodSpec } from '@binnacle/api-types/core/v1';
import type { AmountTexts, LimitItem } from './limit-items.ts';

/**
 * Fills in missing requests and limits of containers from the container items of LimitRanges, in order, and records it in an
 * annotation of the pod. Returns whether anything changed.
 */
export function applyLimitDefaults(pod: Pod, spec: PodSpec, items: readonly LimitItem[]): boolean {
  const notes: string[] = [];
  for (const item of items) {
    if (item.type !== 'Container') continue;
    for (const [list, kind] of [
      ['containers', 'container'],
      ['initContainers', 'init container'],
    ] as const)
      for (const container of spec[list] ?? []) notes.push(...complete(container, kind, item));
  }
  if (notes.length === 0) return false;
  pod.metadata.annotations = {
    ...pod.metadata.annotations,
    [annotations.limitRanger]: `LimitRanger plugin set: ${notes.join('; ')}`,
  };
  return true;
}

function complete(container: Container, kind: string, item: LimitItem): string[] {
  const { name = '' } = container;
  return [
    ...defaultsNote(fillIn(container, 'requests', item.defaultRequest), `request for ${kind} ${name}`),
    ...defaultsNote(fillIn(container, 'limits', item.default), `limit for ${kind} ${name}`),
  ];
}

function defaultsNote(resources: readonly string[], what: string): string[] {
  return resources.length === 0 ? [] : [`${resources.join(', ')} ${what}`];
}

/** Fills in missing amounts; returns the names of their resources, sorted. */
function fillIn(container: Container, list: 'limits' | 'requests', defaults: AmountTexts): string[] {
  const amounts: Record<string, string> = { ...container.resources?.[list] };
  const missing = [...defaults].filter(([name]) => amounts[name] === undefined);
  if (missing.length === 0) return [];
  for (const [name, amount] of missing) amounts[name] = amount;
  container.resources ??= {};
  container.resources[list] = amounts;
  return missing.map(([name]) => name);
}
