import type { ObjectMeta, OwnerReference } from './objects.ts';

/**
 * Removes duplicate owner references in place and returns the warning for the client; undefined if there were none. The first of
 * equal references is kept; different references to one UID are all kept.
 */
export function removeDuplicateOwnerReferences(meta: ObjectMeta): string | undefined {
  const references = meta.ownerReferences ?? [];
  if (references.length < 2) return undefined;
  const seen = new Set<string>();
  const kept = references.filter(reference => {
    const content = referenceText(reference);
    const isNew = !seen.has(content);
    seen.add(content);
    return isNew;
  });
  if (kept.length === references.length) return undefined;
  meta.ownerReferences = kept;
  return '.metadata.ownerReferences contains duplicate entries; only the first of each was kept';
}

function referenceText(reference: OwnerReference): string {
  const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = reference;
  return JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
}
