import { equalJson } from './json.ts';
import type { ObjectMeta } from './objects.ts';

/**
 * Removes owner references that occur twice, in place, and answers the warning for the client; undefined when there
 * were none. The first of equal references stays; references to one uid that differ otherwise are kept.
 */
export function removeDuplicateOwnerReferences(meta: ObjectMeta): string | undefined {
  const references = meta.ownerReferences ?? [];
  if (new Set(references.map(reference => reference.uid)).size === references.length) return undefined;
  const byUid = Map.groupBy(references, reference => reference.uid);
  const kept = references.filter(reference => {
    const first = byUid.get(reference.uid)?.find(other => equalJson(other, reference));
    return first === reference;
  });
  if (kept.length === references.length) return undefined;
  meta.ownerReferences = kept;
  return '.metadata.ownerReferences contains duplicate entries; only the first of each was kept';
}
