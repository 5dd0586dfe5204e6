import { type ApiObject, equalJson } from '@binnacle/api-objects';

/** Root fields that say of what kind an object is, or have rules of their own. */
const notContent = new Set(['apiVersion', 'kind', 'metadata']);

/** The root fields outside metadata that differ between two states of an object. */
export function changedRoots(object: ApiObject, old: ApiObject): ReadonlySet<string> {
  const names = new Set([...Object.keys(object), ...Object.keys(old)]);
  return new Set([...names].filter(name => !notContent.has(name) && !equalJson(object[name], old[name])));
}

/** Whether the status is all that changed. */
export function isStatusAlone(changed: ReadonlySet<string>): boolean {
  return changed.size === 1 && changed.has('status');
}
