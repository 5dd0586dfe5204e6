import { canonicalGroup, type TypeRegistry } from '@binnacle/api-types';
import { serviceUnavailable } from '@binnacle/status-errors';
import type { TypeCache, WatchCache } from '@binnacle/watch-cache';
import { mastersGroup } from '../../request/users.ts';
import type { Access, Authorizer, Decision } from '../authorizer.ts';
import { allRules } from '../policy-rule.ts';
import { type PolicyKind, RbacPolicy } from './policy.ts';

/** What the role-based authorizer works with. */
interface RbacAuthorizerOptions {
  readonly registry: TypeRegistry;
  readonly watchCache: WatchCache;
}

/** An authorizer over roles and bindings as the watch cache has them. */
export interface RbacAuthorizer extends Authorizer, Disposable {
  /** Begins to follow the cache, which must be ready; until then only `system:masters` may do anything. */
  start(): void;
  /** Whether it follows the cache. */
  readonly started: boolean;
}

const group = 'rbac.authorization.cluster.io';
const kinds: readonly [PolicyKind, string][] = [
  ['ClusterRole', 'clusterroles'],
  ['Role', 'roles'],
  ['ClusterRoleBinding', 'clusterrolebindings'],
  ['RoleBinding', 'rolebindings'],
];
const allowedToMasters: Decision = { verdict: 'allowed', reason: '' };

/** Creates the role-based authorizer; members of `system:masters` may do everything, whatever the roles say. */
export function createRbacAuthorizer(options: RbacAuthorizerOptions): RbacAuthorizer {
  const policy = new RbacPolicy(canonicalGroup);
  const stops: (() => void)[] = [];
  let started = false;
  return {
    get started() {
      return started;
    },
    start() {
      for (const [kind, resource] of kinds) stops.push(follow(policy, kind, typeCacheOf(options, resource)));
      started = true;
    },
    async authorize(user, access) {
      if (user.groups.includes(mastersGroup)) return allowedToMasters;
      assertStarted(started);
      return policy.decide(user, withCanonicalGroup(access));
    },
    rulesFor(user, namespace) {
      if (user.groups.includes(mastersGroup)) return allRules;
      assertStarted(started);
      return policy.rulesFor(user, namespace);
    },
    boundRules(user, namespace) {
      if (user.groups.includes(mastersGroup)) return allRules;
      assertStarted(started);
      return policy.boundRules(user, namespace);
    },
    [Symbol.dispose]() {
      for (const stop of stops.splice(0)) stop();
    },
  };
}

/**
 * Roles are read with canonical group names, whatever groups there are at the time: a definition can have a group under a
 * name that is elsewhere an alias of one.
 */
function withCanonicalGroup(access: Access): Access {
  if (access.kind !== 'resource') return access;
  const canonical = canonicalGroup(access.group);
  return canonical === access.group ? access : { ...access, group: canonical };
}

function assertStarted(started: boolean): void {
  if (!started) throw serviceUnavailable('roles and bindings are not loaded; try again shortly');
}

function typeCacheOf({ registry, watchCache }: RbacAuthorizerOptions, resource: string): TypeCache {
  const definition = registry.resource(group, 'v1', resource);
  if (definition === undefined) throw new Error(`the type registry has no ${resource}.${group}`);
  return watchCache.type(definition);
}

/** Listing and subscribing happen in one turn, so no change comes between them. */
function follow(policy: RbacPolicy, kind: PolicyKind, cache: TypeCache): () => void {
  for (const object of cache.list({}).objects) policy.put(kind, object.parse());
  return cache.subscribe(event => {
    if (event.type === 'DELETED') policy.remove(kind, event.object.namespace, event.object.name);
    else policy.put(kind, event.object.parse());
  });
}
