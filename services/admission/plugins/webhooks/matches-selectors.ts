import { labels, understood } from '@binnacle/api-names';
import { isAboutNamespace, type Review } from '../../chain/review.ts';
import type { NamespaceSource } from '../../sources/namespaces.ts';
import type { Webhook } from './webhook.ts';

/** The selectors of a webhook, or of a policy. */
type Selectors = Pick<Webhook, 'namespaceSelector' | 'objectSelector'>;

/** Whether the selectors of a webhook let it see a review: that on the namespace first, then that on the object. */
export async function matchesSelectors(
  webhook: Selectors,
  review: Review,
  namespaces: NamespaceSource,
): Promise<boolean> {
  return matchesObject(webhook, review) && (await matchesNamespace(webhook, review, namespaces));
}

/** Either the new or the stored object has to match; one that is not there does not. */
function matchesObject({ objectSelector }: Selectors, { object, oldObject }: Review): boolean {
  if (objectSelector.requirements.length === 0) return true;
  return [object, oldObject].some(
    candidate => candidate !== undefined && objectSelector.matches(candidate.metadata.labels),
  );
}

/** A Namespace is its own namespace here; other cluster-scoped objects always match. */
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
 * Selectors of existing clients choose namespaces by an alias of the label that each namespace has. A namespace that was stored with
 * another text under it does not escape them.
 */
function withNameAliases(given: Readonly<Record<string, string>> | undefined) {
  const name = given?.[labels.metadataName];
  if (name === undefined || nameAliases.length === 0) return given;
  return { ...given, ...Object.fromEntries(nameAliases.map(key => [key, name])) };
}
