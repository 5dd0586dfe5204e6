import { type ApiObject, equalJson } from '@binnacle/api-objects';

/** Root fields that are not part of the object's content. */
const notContent = new Set(['apiVersion', 'kind', 'metadata']);

/** Returns the root fields outside metadata that differ between two states of an object. */
export function changedRoots(object: ApiObject, old: ApiObject): ReadonlySet<string> {
  const names = new Set([...Object.keys(object), ...Object.keys(old)]);
  return new Set([...names].filter(name => !notContent.has(name) && !equalJson(object[name], old[name])));
}

/** Whether only the status changed. */
export function isStatusAlone(changed: ReadonlySet<string>): boolean {
  return changed.size === 1 && changed.has('status');
}
