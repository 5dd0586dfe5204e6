import type { ApiObject } from '@binnacle/api-objects';
import { guardBinding } from '../authorization/escalation/guard-binding.ts';
import { guardRole } from '../authorization/escalation/guard-role.ts';
import type { ApiRequest, GatewayServices } from '../pipeline/api-request.ts';

/** A write as admission lets it pass. */
export interface GuardedWrite {
  /** The object to store. */
  readonly object: ApiObject;
  /** The stored object; undefined for a creation. */
  readonly old: ApiObject | undefined;
}

/** What guards ask. */
export type GuardServices = Pick<GatewayServices, 'authorizer' | 'registry' | 'storage'>;

/**
 * Refuses, by throwing, a write that the user may make as such but not with this content. Runs after admission and before
 * the commit of every creation and update, once for each attempt, in dry runs too.
 */
type WriteGuard = (request: ApiRequest, services: GuardServices, write: GuardedWrite) => void | Promise<void>;

/** The guards of each kind that has any, by `group/resource`, in the order in which they run. */
const guards: ReadonlyMap<string, readonly WriteGuard[]> = new Map<string, readonly WriteGuard[]>([
  ['rbac.authorization.cluster.io/clusterrolebindings', [guardBinding]],
  ['rbac.authorization.cluster.io/clusterroles', [guardRole]],
  ['rbac.authorization.cluster.io/rolebindings', [guardBinding]],
  ['rbac.authorization.cluster.io/roles', [guardRole]],
]);

/** Lets the guards of the kind look at a write; throws the first refusal. */
export async function guardWrite(
  request: ApiRequest,
  services: GuardServices,
  write: GuardedWrite,
): Promise<void> {
  const { group, resource } = request.definition;
  for (const guard of guards.get(`${group}/${resource}`) ?? []) await guard(request, services, write);
}
