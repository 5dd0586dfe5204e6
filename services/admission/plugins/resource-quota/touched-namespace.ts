import { type ApiObject, equalJson } from '@binnacle/api-objects';
import { type QuotaState, quotaStateFrom } from '@binnacle/api-types';
import { encodeStored } from '@binnacle/codecs';
import type { JointWrite } from '@binnacle/proto';
import type { Review } from '../../chain/review.ts';
import type { ObjectReader } from '../../sources/objects.ts';

/**
 * The namespace as it is, to be written with a quota that is new in it or counts something else than before; undefined for
 * any other write.
 *
 * Every creation has its namespace at a revision as a precondition. So no creation that was reviewed without the quota is
 * committed after it, and the revision of the namespace tells a review how new its view of quotas must be.
 */
export async function touchedNamespace(
  { definition, object, oldObject, namespace, call }: Review,
  namespaces: Pick<ObjectReader, 'findCurrent'>,
): Promise<JointWrite | undefined> {
  if (definition.group !== '' || definition.resource !== 'resourcequotas' || object === undefined)
    return undefined;
  if (oldObject !== undefined && equalJson(countedBy(object), countedBy(oldObject))) return undefined;
  const found = await namespaces.findCurrent('', namespace, call);
  if (found === undefined) return undefined;
  const { key, revision } = found;
  return { key, revision, value: encodeStored(found.parse()), onRemoval: false };
}

/** The amounts that a quota counts, whatever the limits. */
function countedBy(quota: ApiObject) {
  const { names, scopes }: QuotaState = quotaStateFrom(quota);
  return {
    names: [...names].sort(),
    scopes: scopes.map(({ scope, operator, values }) => [scope, operator, ...values]),
  };
}
