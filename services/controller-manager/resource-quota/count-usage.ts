import { type ApiObject, quantityFromInteger } from '@binnacle/api-objects';
import {
  addUsage,
  namesCounted,
  type QuotaState,
  type Usage,
  usageCovered,
  usageEvaluatorOf,
} from '@binnacle/api-types';
import { type CountedType, countedTypes } from './counted-types.ts';
import type { QuotaApi } from './quota-api.ts';

/** The types whose objects must be looked at, one by one. */
const looked = new Set(['persistentvolumeclaims', 'pods', 'services']);

/** What the objects of a namespace use of what a quota names, by the names of the quota. */
export async function countUsage(
  quota: Pick<QuotaState, 'names' | 'scopes'>,
  { namespace, api }: { readonly namespace: string; readonly api: QuotaApi },
): Promise<Usage> {
  let used: Usage = new Map();
  for (const type of countedTypes(quota.names)) {
    const evaluator = usageEvaluatorOf({ ...type, namespaced: true, stored: true });
    if (evaluator === undefined) continue;
    const nothing = quantityFromInteger(0);
    used = addUsage(used, new Map(namesCounted(quota, evaluator).map(name => [name, nothing])));
    const cover = (object: ApiObject): Usage => usageCovered(quota, evaluator, object);
    if (isLooked(type)) {
      for await (const object of api.objects(type, namespace)) used = addUsage(used, cover(object));
    } else {
      const count = quantityFromInteger(await api.count(type, namespace));
      // All objects of such a type are alike: none of them is in a scope.
      const each = cover({ apiVersion: '', kind: '', metadata: {} });
      used = addUsage(used, new Map([...each.keys()].map(name => [name, count])));
    }
  }
  return used;
}

function isLooked({ group, resource }: CountedType): boolean {
  return group === '' && looked.has(resource);
}
