import type { NamespaceSource } from '../sources/namespaces.ts';
import type { Review } from './review.ts';

/** Whether the namespace of the object under review is created in the same transaction. */
export function namespaceComesAlong({ companions, namespace }: Review, namespaces: NamespaceSource): boolean {
  return companions.length > 0 && companions.some(({ key }) => key === namespaces.keyOf(namespace));
}
