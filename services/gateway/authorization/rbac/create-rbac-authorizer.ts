import { groups } from '@binnacle/api-names';
import { canonicalGroup, type TypeRegistry } from '@binnacle/api-types';
import { serviceUnavailable } from '@binnacle/status-errors';
import type { TypeCache, WatchCache } from '@binnacle/watch-cache';
import { type Access, type Authorizer, completeRules } from '../authorizer.ts';
import { type Following, followObjects } from '../follow-objects.ts';
import type { FollowingAuthorizer } from '../following-authorizer.ts';
import { type PolicyKind, RbacPolicy } from './policy.ts';

/** Options of the role-based authorizer. */
interface RbacAuthorizerOptions {
  readonly registry: TypeRegistry;
  readonly watchCache: WatchCache;
}

const kinds: readonly [PolicyKind, string][] = [
  ['ClusterRole', 'clusterroles'],
  ['Role', 'roles'],
  ['ClusterRoleBinding', 'clusterrolebindings'],
  ['RoleBinding', 'rolebindings'],
];

/** Creates the role-based authorizer. */
export function createRbacAuthorizer(options: RbacAuthorizerOptions): FollowingAuthorizer {
  const policy = new RbacPolicy(canonicalGroup);
  const decided = policyAuthorizer(policy);
  const followings: Following[] = [];
  let started = false;
  return {
    get isStarted() {
      return started;
    },
    async start() {
      for (const [kind, resource] of kinds)
        followings.push(
          followObjects(findTypeCache(options, resource), {
            put: object => policy.put(kind, object),
            remove: (namespace, name) => policy.remove(kind, namespace, name),
          }),
        );
      await Promise.all(followings.map(({ loaded }) => loaded));
      started = true;
    },
    authorize(user, access, call) {
      assertStarted(started);
      return decided.authorize(user, access, call);
    },
    rulesFor(user, namespace) {
      assertStarted(started);
      return decided.rulesFor(user, namespace);
    },
    boundRules(user, namespace) {
      assertStarted(started);
      return decided.boundRules(user, namespace);
    },
    [Symbol.dispose]() {
      for (const following of followings.splice(0)) following[Symbol.dispose]();
    },
  };
}

/** Creates an authorizer over a policy. */
function policyAuthorizer(policy: RbacPolicy): Authorizer {
  return {
    authorize: (user, access) => policy.decide(user, withCanonicalGroup(access)),
    rulesFor: (user, namespace) => completeRules(policy.rulesFor(user, namespace)),
    boundRules: (user, namespace) => policy.boundRules(user, namespace),
  };
}

/**
 * Roles are parsed with canonical group names, whichever groups are served at the time: a definition can have a group
 * whose name is otherwise an alias.
 */
function withCanonicalGroup(access: Access): Access {
  if (access.kind !== 'resource') return access;
  const canonical = canonicalGroup(access.group);
  return canonical === access.group ? access : { ...access, group: canonical };
}

function assertStarted(started: boolean): void {
  if (!started) throw serviceUnavailable('roles and bindings are not loaded yet, try again');
}

function findTypeCache({ registry, watchCache }: RbacAuthorizerOptions, resource: string): TypeCache {
  const definition = registry.resource(groups.rbac, 'v1', resource);
  if (definition === undefined) throw new Error(`the type registry has no ${resource}.${groups.rbac}`);
  return watchCache.type(definition);
}
