import { canonicalGroup, objectKey } from '@binnacle/api-types';
import type { Role, RoleBinding } from '@binnacle/api-types/rbac/v1';
import { notFound } from '@binnacle/status-errors';
import { findStorageKey } from '@binnacle/storage-contract';
import { isAllowed, type PolicyRule } from '../authorization/authorizer.ts';
import { policyRulesFrom } from '../authorization/policy-rule.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { namespaceOf } from '../request/names.ts';
import { mastersGroup } from '../request/users.ts';
import { serverConverted } from '../versions/kept-forms.ts';
import { objectFromStored } from '../versions/version-form.ts';
import type { GuardedWrite, GuardServices } from '../write/engine/review.ts';
import { assertRightsHeld } from './assert-rights-held.ts';
import { concernsGrants } from './concerns-grants.ts';

/** The role that a binding gives. */
interface BoundRole {
  readonly group: string;
  readonly resource: 'roles' | 'clusterroles';
  /** "" for a ClusterRole. */
  readonly namespace: string;
  readonly name: string;
}

/**
 * Refuses a binding to a role with rules that the user does not hold where the binding holds. A user who may `bind` the
 * role there, or is in `system:masters`, may bind it, even one that does not exist. Throws NotFound for a role that
 * does not exist.
 */
export async function guardBinding(
  request: ApiRequest,
  services: GuardServices,
  write: GuardedWrite,
): Promise<void> {
  const { user } = request;
  if (user.groups.includes(mastersGroup) || !concernsGrants(write)) return;
  const role = boundRole(request, write.object);
  if (await mayBind(request, services, role)) return;
  const rules = await readRules(role, request, services);
  assertRightsHeld(request, services, { name: write.object.metadata.name ?? '', rules });
}

function boundRole(request: ApiRequest, { roleRef }: RoleBinding): BoundRole {
  const { kind, name = '' } = roleRef ?? {};
  const isNamespaced = kind === 'Role';
  return {
    group: request.definition.group,
    resource: isNamespaced ? 'roles' : 'clusterroles',
    namespace: isNamespaced ? namespaceOf(request) : '',
    name,
  };
}

/** Checks in the namespace of the binding, so that cluster roles can be handed out within single namespaces. */
async function mayBind(
  request: ApiRequest,
  { authorizer }: GuardServices,
  role: BoundRole,
): Promise<boolean> {
  const { user, call } = request;
  const namespace = namespaceOf(request);
  const access = { ...role, kind: 'resource', verb: 'bind', subresource: '', namespace } as const;
  return await isAllowed(authorizer, { user, access, call });
}

/** Read from the store: a role that was written just now counts. */
async function readRules(
  role: BoundRole,
  { call, definition }: ApiRequest,
  { registry, storage }: GuardServices,
): Promise<PolicyRule[]> {
  const roleDefinition = registry.resource(role.group, definition.version, role.resource);
  if (roleDefinition === undefined) throw notFound(role, role.name);
  const key = findStorageKey(objectKey(roleDefinition, role.namespace, role.name));
  const record = key && (await storage.get(key, call)).record;
  if (record === undefined) throw notFound(role, role.name);
  const { value, revision } = record;
  const found: Role = objectFromStored(serverConverted(roleDefinition), value, revision);
  return policyRulesFrom(found.rules ?? [], canonicalGroup);
}
