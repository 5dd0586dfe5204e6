import { groups } from '@binnacle/api-names';
import type { ApiObject } from '@binnacle/api-objects';
import type { ApiClient } from '@binnacle/client';
import { StatusError } from '@binnacle/status-errors';
import type { Reconciled } from '../work-queue/reconciled.ts';
import { outdatedRoles, type RoleChange } from './aggregated-rules.ts';

/** Path of the collection of cluster roles. */
export const clusterRolesPath = `/apis/${groups.rbac}/v1/clusterroles`;

/**
 * Writes the rules of every outdated aggregated cluster role. `roles` must be complete: otherwise permissions would be removed. A role
 * that changed meanwhile or is gone causes another pass. The failure of one role does not stop the others, and is thrown at the end.
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
