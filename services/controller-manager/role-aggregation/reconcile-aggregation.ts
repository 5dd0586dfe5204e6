import { groups } from '@binnacle/api-names';
import type { ApiObject } from '@binnacle/api-objects';
import type { ApiClient } from '@binnacle/client';
import { StatusError } from '@binnacle/status-errors';
import type { Reconciled } from '../work-queue/reconciled.ts';
import { outdatedRoles, type RoleChange } from './aggregated-rules.ts';

/** The collection whose roles are gathered, and gather. */
export const clusterRolesPath = `/apis/${groups.rbac}/v1/clusterroles`;

/**
 * Writes the rules of every aggregated cluster role that are not those of the roles it gathers. `roles` are all there
 * are: with some of them missing, rights would be taken away. A role that changed meanwhile or is gone is left to the pass
 * that its change brings; one that cannot be written does not keep the others from it, and is thrown at the end.
 */
export async function reconcileAggregation(
  roles: readonly ApiObject[],
  client: Pick<ApiClient, 'request'>,
  signal: AbortSignal,
): Promise<Reconciled> {
  const failures: unknown[] = [];
  for (const change of outdatedRoles(roles)) {
    try {
      await writeRules(change, client, signal);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return { kind: 'done' };
}

async function writeRules(
  { role, rules }: RoleChange,
  client: Pick<ApiClient, 'request'>,
  signal: AbortSignal,
): Promise<void> {
  try {
    await client.request({
      method: 'PUT',
      path: `${clusterRolesPath}/${encodeURIComponent(role.metadata.name ?? '')}`,
      body: { ...role, apiVersion: `${groups.rbac}/v1`, kind: 'ClusterRole', rules },
      signal,
    });
  } catch (error) {
    if (!(error instanceof StatusError && (error.code === 409 || error.code === 404))) throw error;
  }
}
