import { canonicalGroup } from '@binnacle/api-types';
import type { ClusterRole } from '@binnacle/api-types/rbac/v1';
import { forbidden } from '@binnacle/status-errors';
import { allRules, isAllowed } from '../authorization/authorizer.ts';
import { policyRulesFrom } from '../authorization/policy-rule.ts';
import { uncoveredRules } from '../authorization/rbac/rule-coverage.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { namespaceOf, resourceNameOf } from '../request/names.ts';
import { mastersGroup } from '../request/users.ts';
import type { GuardedWrite, GuardServices } from '../write/engine/review.ts';
import { assertRightsHeld } from './assert-rights-held.ts';
import { concernsGrants } from './concerns-grants.ts';

/**
 * Refuses a Role or ClusterRole with rules that the user does not hold, and an aggregation, which may gather anything,
 * by a user who does not hold everything. A user who may `escalate` the role, or is in `system:masters`, may write any
 * rules.
 */
export async function guardRole(
  request: ApiRequest,
  services: GuardServices,
  write: GuardedWrite,
): Promise<void> {
  const role: ClusterRole = write.object;
  const { user, definition } = request;
  if (user.groups.includes(mastersGroup) || !concernsGrants(write)) return;
  if (await mayEscalate(request, services)) return;
  const { name = '' } = role.metadata;
  const rules = policyRulesFrom(role.rules ?? [], canonicalGroup);
  assertRightsHeld(request, services, { name, rules });
  if (!aggregates(role) && !aggregates(write.old)) return;
  if (uncoveredRules(services.authorizer.boundRules(user, namespaceOf(request)), allRules).length > 0)
    throw forbidden(
      resourceNameOf(definition),
      name,
      'only a user who holds all rights may use the aggregationRule',
    );
}

/** Checks with the name in the request: a creation has none, so a grant for single names does not count for it. */
async function mayEscalate(request: ApiRequest, { authorizer }: GuardServices): Promise<boolean> {
  const { definition, info, user, call } = request;
  const { group, resource } = definition;
  const access = {
    kind: 'resource',
    verb: 'escalate',
    group,
    resource,
    subresource: '',
    namespace: namespaceOf(request),
    name: info.name,
  } as const;
  return await isAllowed(authorizer, { user, access, call });
}

function aggregates(role: ClusterRole | undefined): boolean {
  return role?.aggregationRule !== undefined;
}
