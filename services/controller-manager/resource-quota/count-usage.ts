import { quantityFromInteger } from '@binnacle/api-objects';
import {
  addUsage,
  findUsageEvaluator,
  namesCounted,
  type QuotaState,
  type Usage,
  usageCovered,
} from '@binnacle/api-types';
import { type CountedType, countedTypes } from './counted-types.ts';
import type { QuotaApi } from './quota-api.ts';

/** The types whose usage depends on the single objects. */
const visited = new Set(['persistentvolumeclaims', 'pods', 'services']);

/** The usage of the objects of one type, as of one resourceVersion. */
export interface TypeCount {
  /** Amounts, by all names of the quota that concern the type. */
  readonly used: Usage;
  /** The resourceVersion of the count; undefined for a type that is not served, which uses nothing. */
  readonly resourceVersion: string | undefined;
}

/** Counts the usage of the resources that a quota names, type by type. */
export async function countUsage(
  quota: Pick<QuotaState, 'names' | 'scopes'>,
  { namespace, api }: { readonly namespace: string; readonly api: QuotaApi },
): Promise<readonly TypeCount[]> {
  const counts: TypeCount[] = [];
  for (const type of countedTypes(quota.names)) {
    const evaluator = findUsageEvaluator({ ...type, namespaced: true, stored: true });
    if (evaluator === undefined) continue;
    const zero = quantityFromInteger(0);
    let used: Usage = new Map(namesCounted(quota, evaluator).map(name => [name, zero]));
    if (isLooked(type)) {
      const resourceVersion = await api.visit(type, namespace, object => {
        used = addUsage(used, usageCovered(quota, evaluator, object));
      });
      counts.push({ used, resourceVersion });
    } else {
      const { count = 0, resourceVersion } = (await api.count(type, namespace)) ?? {};
      // All objects of such a type count alike, and none is in a scope.
      const each = usageCovered(quota, evaluator, { apiVersion: '', kind: '', metadata: {} });
      const amount = quantityFromInteger(count);
      used = addUsage(used, new Map([...each.keys()].map(name => [name, amount])));
      counts.push({ used, resourceVersion });
    }
  }
  return counts;
}

function isLooked({ group, resource }: CountedType): boolean {
  return group === '' && visited.has(resource);
}
