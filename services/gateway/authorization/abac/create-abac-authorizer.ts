import { canonicalGroup } from '@binnacle/api-types';
import type { User } from '../../request/api-request.ts';
import { authenticatedGroup } from '../../request/users.ts';
import {
  type Access,
  type Authorizer,
  completeRules,
  type Decision,
  type PolicyRule,
} from '../authorizer.ts';
import { pathMatches, policyRulesFrom } from '../policy-rule.ts';
import type { AbacPolicy } from './policy-file.ts';

const allowed: Decision = { verdict: 'allowed', reason: '' };
const notAllowed: Decision = { verdict: 'noOpinion', reason: 'No policy matched.' };
const readVerbs = ['get', 'list', 'watch'];

/**
 * Creates the authorizer over the policies of a file (`--authorization-mode=ABAC`). A policy allows what all of its
 * properties match. `*` as a user or group is every authenticated user, so that anonymous ones need a policy that names
 * them.
 */
export function createAbacAuthorizer(policies: readonly AbacPolicy[]): Authorizer {
  // A policy that names neither a user nor a group matches no request.
  const named = policies.filter(({ user, group }) => user !== '' || group !== '');
  const find = indexPolicies(named.map(withCanonicalGroup));
  return {
    authorize(user, access) {
      return find(user).some(policy => allows(policy, access)) ? allowed : notAllowed;
    },
    rulesFor: (user, namespace) =>
      completeRules(find(user).flatMap(policy => rulesFromPolicy(policy, namespace))),
    // Rights to grant come from roles; a policy gives them by allowing `escalate` and `bind`.
    boundRules: () => [],
  };
}

function withCanonicalGroup(policy: AbacPolicy): AbacPolicy {
  return { ...policy, apiGroup: canonicalGroup(policy.apiGroup) };
}

/** Indexes policies for look-up by user: each under its user, or under its group when it names only that. */
function indexPolicies(policies: readonly AbacPolicy[]): (user: User) => AbacPolicy[] {
  const byUser = Map.groupBy(policies, policy => (isAnyone(policy.user) ? '' : policy.user));
  const byGroup = Map.groupBy(byUser.get('') ?? [], groupFromPolicy);
  byUser.delete('');
  return ({ username, groups }) => {
    const ofUser = (byUser.get(username) ?? []).filter(policy => isInGroup(policy, groups));
    const ofGroups = [...new Set(groups)].flatMap(group => byGroup.get(group) ?? []);
    const isAuthenticated = groups.includes(authenticatedGroup);
    return [...ofUser, ...ofGroups.filter(policy => policy.user !== '*' || isAuthenticated)];
  };
}

function isAnyone(name: string): boolean {
  return name === '' || name === '*';
}

/** The group that a policy names; "" when it names a user alone. */
function groupFromPolicy({ user, group }: AbacPolicy): string {
  if (group === '*' || (group === '' && user === '*')) return authenticatedGroup;
  return group;
}

function isInGroup(policy: AbacPolicy, groups: readonly string[]): boolean {
  return policy.group === '' || groups.includes(groupFromPolicy(policy));
}

function allows(policy: AbacPolicy, access: Access): boolean {
  if (policy.readonly && !readVerbs.includes(access.verb)) return false;
  if (access.kind === 'path')
    return policy.nonResourcePath !== '' && pathMatches(policy.nonResourcePath, access.path);
  return (
    policy.resource !== '' &&
    isOrAll(policy.resource, access.resource) &&
    isOrAll(policy.namespace, access.namespace) &&
    isOrAll(policy.apiGroup, canonicalGroup(access.group))
  );
}

function isOrAll(pattern: string, value: string): boolean {
  return pattern === '*' || pattern === value;
}

function rulesFromPolicy(policy: AbacPolicy, namespace: string): PolicyRule[] {
  const verbs = policy.readonly ? readVerbs : ['*'];
  const { apiGroup, resource, nonResourcePath } = policy;
  const onResources =
    resource === '' || !isOrAll(policy.namespace, namespace)
      ? []
      : [{ verbs, apiGroups: [apiGroup], resources: [resource] }];
  const onPaths = nonResourcePath === '' ? [] : [{ verbs, nonResourceURLs: [nonResourcePath] }];
  return policyRulesFrom([...onResources, ...onPaths], canonicalGroup);
}
