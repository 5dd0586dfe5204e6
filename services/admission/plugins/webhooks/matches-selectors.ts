import { labels, understood } from '@binnacle/api-names';
import { isAboutNamespace, type Review } from '../../chain/review.ts';
import type { NamespaceSource } from '../../sources/namespaces.ts';
import type { Webhook } from './webhook.ts';

/** The selectors of a webhook, or of a policy. */
type Selectors = Pick<Webhook, 'namespaceSelector' | 'objectSelector'>;

/** Whether the selectors of a webhook match a review: the namespace selector first, then the object selector. */
export async function matchesSelectors(
  webhook: Selectors,
  review: Review,
  namespaces: NamespaceSource,
): Promise<boolean> {
  return matchesObject(webhook, review) && (await matchesNamespace(webhook, review, namespaces));
}

/** Whether the new or the stored object matches; an absent object does not. */
function matchesObject({ objectSelector }: Selectors, { object, oldObject }: Review): boolean {
  if (objectSelector.requirements.length === 0) return true;
  return [object, oldObject].some(
    candidate => candidate !== undefined && objectSelector.matches(candidate.metadata.labels),
  );
}

/** Whether the namespace matches; a Namespace is its own namespace, and other cluster-scoped objects always match. */
async function matchesNamespace(
  { namespaceSelector }: Selectors,
  review: Review,
  namespaces: NamespaceSource,
): Promise<boolean> {
  if (namespaceSelector.requirements.length === 0) return true;
  const { definition, namespace, object, oldObject, call } = review;
  if (isAboutNamespace(review))
    return namespaceSelector.matches(withNameAliases((object ?? oldObject)?.metadata.labels));
  if (!definition.namespaced) return true;
  const found = await namespaces.find(namespace, call);
  return namespaceSelector.matches(withNameAliases(found?.labels));
}

const nameAliases = understood.labels.metadataName.filter(key => key !== labels.metadataName);

/**
 * Adds the aliases of the label with the namespace's name, which selectors of existing clients use. A stored alias label with another
 * value is overwritten, so that a namespace cannot evade a selector.
 */
function withNameAliases(given: Readonly<Record<string, string>> | undefined) {
  const name = given?.[labels.metadataName];
  if (name === undefined || nameAliases.length === 0) return given;
  return { ...given, ...Object.fromEntries(nameAliases.map(key => [key, name])) };
}
