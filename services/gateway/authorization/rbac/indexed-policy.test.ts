import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import type { ClusterRole, PolicyRule, RoleBinding } from '@binnacle/api-types/rbac/v1';
import type { User } from '../../request/api-request.ts';
import type { Access } from '../authorizer.ts';
import { policyRulesFrom, ruleAllows } from '../policy-rule.ts';
import { type PolicyKind, RbacPolicy } from './policy.ts';

const verbs = Array.from({ length: 8 }, (_, index) => `verb${index}`);
const types = Array.from({ length: 30 }, (_, index) => `type${index}`);
const resources = [...types, ...types.map(type => `${type}/log`), '*/log', '*/status'];
const paths = [...types.map(type => `/${type}/x`), ...types.map(type => `/${type}/*`)];
const namespaces = ['', 'y', 'z'];
const users: User[] = ['bob', 'carol'].map(username => ({
  username,
  uid: '',
  groups: ['devs', `only-${username}`],
  extra: {},
}));

function randomFrom(seed: number) {
  let state = seed;
  const below = (bound: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % bound;
  };
  const pick = (values: readonly string[]): string => values[below(values.length)] ?? '';
  const some = (values: readonly string[], most: number) =>
    Array.from({ length: 1 + below(most) }, () => pick(values));
  return { below, pick, some };
}

type Random = ReturnType<typeof randomFrom>;

function randomRule({ below, some }: Random): PolicyRule {
  // Wildcards are rare: what allows everything would hide the rest.
  const wild = below(100);
  const ruleVerbs = wild === 0 ? ['*'] : some(verbs, 2);
  if (below(5) === 0) return { verbs: ruleVerbs, nonResourceURLs: wild === 1 ? ['*'] : some(paths, 3) };
  return {
    verbs: ruleVerbs,
    apiGroups: some(['', 'apps', '*'], 1),
    resources: wild === 1 ? ['*'] : some(resources, 3),
    ...(below(3) === 0 && { resourceNames: some(['a', 'b'], 1) }),
  };
}

/** A role or binding with random contents, among few names so that changes meet. */
function randomObject(random: Random): { kind: PolicyKind; object: ApiObject } {
  const { below, pick } = random;
  const namespace = pick(namespaces);
  const isRole = below(2) === 0;
  const kind: PolicyKind =
    namespace === '' ? (isRole ? 'ClusterRole' : 'ClusterRoleBinding') : isRole ? 'Role' : 'RoleBinding';
  const metadata = { name: `${kind}${below(isRole ? 12 : 60)}`, ...(namespace !== '' && { namespace }) };
  const typeMeta = { apiVersion: 'rbac.authorization.cluster.io/v1', kind, metadata };
  if (isRole) {
    const rules = Array.from({ length: below(30) }, () => randomRule(random));
    return { kind, object: { ...typeMeta, rules } };
  }
  const roleKind = namespace !== '' && below(2) === 0 ? 'Role' : 'ClusterRole';
  const roleRef = { apiGroup: '', kind: roleKind, name: `${roleKind}${below(12)}` };
  const subjects = [
    { kind: 'Group', name: pick(['devs', 'only-bob', 'only-carol']) },
    { kind: 'User', name: pick(['bob', 'carol', 'dave']) },
  ];
  return { kind, object: { ...typeMeta, roleRef, subjects } };
}

function randomAccess({ below, pick }: Random): Access {
  const verb = pick(verbs);
  if (below(5) === 0) return { kind: 'path', verb, path: pick(types.map(type => `/${type}/x`)) };
  const [resource, subresource] = [pick(types), pick(['', 'log', 'status'])];
  const [group, namespace, name] = [pick(['', 'apps', 'batch']), pick(namespaces), pick(['', 'a'])];
  return { kind: 'resource', verb, group, resource, subresource, namespace, name };
}

type Objects = ReadonlyMap<string, { readonly kind: PolicyKind; readonly object: ApiObject }>;

/** The decision of a policy without indexes: it goes through all bindings, and through all rules of their roles. */
function isAllowedByScan(objects: Objects, user: User, access: Access): boolean {
  const namespace = access.kind === 'resource' ? access.namespace : '';
  return [...objects.values()].some(({ kind, object }) => {
    if (!kind.endsWith('Binding')) return false;
    const { metadata, roleRef, subjects = [] }: RoleBinding = object;
    const scope = metadata.namespace ?? '';
    const isBound = subjects.some(subject =>
      subject.kind === 'User' ? subject.name === user.username : user.groups.includes(subject.name ?? ''),
    );
    if (!isBound || (scope !== '' && scope !== namespace)) return false;
    const roleScope = roleRef?.kind === 'Role' ? scope : '';
    const role: ClusterRole | undefined = objects.get(
      `${roleRef?.kind}/${roleScope}/${roleRef?.name}`,
    )?.object;
    return policyRulesFrom(role?.rules ?? [], group => group).some(rule => ruleAllows(rule, access));
  });
}

for (const seed of [1, 2, 3])
  test(`after any changes a policy equals a reference without indexes (seed ${seed})`, () => {
    const random = randomFrom(seed);
    const policy = new RbacPolicy(group => group);
    const objects = new Map<string, { kind: PolicyKind; object: ApiObject }>();
    const answers = { yes: 0, no: 0 };
    for (let step = 0; step < 1_500; step++) {
      const { kind, object } = randomObject(random);
      const { namespace = '', name = '' } = object.metadata;
      if (random.below(4) === 0) {
        objects.delete(`${kind}/${namespace}/${name}`);
        policy.remove(kind, namespace, name);
      } else {
        objects.set(`${kind}/${namespace}/${name}`, { kind, object });
        policy.put(kind, object);
      }
      for (const user of users) {
        const access = randomAccess(random);
        const expected = isAllowedByScan(objects, user, access);
        answers[expected ? 'yes' : 'no']++;
        const what = `step ${step}: ${user.username} ${JSON.stringify(access)}`;
        assert.equal(policy.decide(user, access).verdict === 'allowed', expected, what);
      }
    }
    assert.ok(answers.yes > 200 && answers.no > 200, JSON.stringify(answers));
  });
