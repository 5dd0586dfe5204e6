import assert from 'node:assert/strict';
import { test } from 'node:test';
import { understood } from '@binnacle/api-names';
import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { outdatedRoles } from './aggregated-rules.ts';

const rule = (resource: string): JsonObject => ({ verbs: ['get'], apiGroups: [''], resources: [resource] });

function role(name: string, rules: JsonObject[], labels: Record<string, string> = {}): ApiObject {
  return {
    apiVersion: 'rbac.authorization.cluster.io/v1',
    kind: 'ClusterRole',
    metadata: { name, labels },
    rules,
  };
}

/** A role that gathers those with the labels `to-<gathered>: "true"`. */
function gathering(name: string, gathered: string[], rules: JsonObject[], labels = {}): ApiObject {
  const clusterRoleSelectors = gathered.map(label => ({ matchLabels: { [`to-${label}`]: 'true' } }));
  return { ...role(name, rules, labels), aggregationRule: { clusterRoleSelectors } };
}

const toView = { 'to-view': 'true' };
const toEdit = { 'to-edit': 'true' };
const [a, b, c] = [rule('a'), rule('b'), rule('c')];

interface Case {
  readonly what: string;
  readonly roles: ApiObject[];
  /** The rules to write, by role. */
  readonly changes: Record<string, JsonObject[]>;
}

const aliases = understood.labels.rbacDomain;
const aggregateTo = (domain = '') => ({ [`${domain}aggregate-to-view`]: 'true' });

const cases: Case[] = [
  ...aliases.map(domain => ({
    what: `a role that gathers by ${domain} gathers those that ask by any alias of it`,
    roles: [
      {
        ...gathering('view', [], []),
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregateTo(domain) }] },
      },
      role('x', [a], aggregateTo(aliases.at(-1))),
      role('y', [b], aggregateTo(aliases[0])),
      role('z', [c], {
        ...aggregateTo(aliases.at(-1)),
        ...aggregateTo(aliases[0]),
        ...aggregateTo('other/'),
      }),
      role('zz', [rule('d')], { 'rbac.example/aggregate-to-view': 'true' }),
    ],
    changes: { view: [a, b, c] },
  })),
  { what: 'roles that gather nothing are left alone', roles: [role('r', [a], toView)], changes: {} },
  {
    what: 'rules are gathered in the order of names, each once',
    roles: [gathering('view', ['view'], []), role('y', [b, a], toView), role('x', [a, c], toView)],
    changes: { view: [a, c, b] },
  },
  {
    what: 'selectors count in their order',
    roles: [gathering('g', ['edit', 'view'], []), role('x', [a], toView), role('y', [b], toEdit)],
    changes: { g: [b, a] },
  },
  {
    what: 'a role that has its rules stays as it is',
    roles: [gathering('view', ['view'], [a]), role('x', [a], toView)],
    changes: {},
  },
  {
    what: 'rules that a user wrote into an aggregated role are replaced',
    roles: [gathering('view', ['view'], [a, b]), role('x', [a], toView)],
    changes: { view: [a] },
  },
  {
    what: 'a label with another value does not count',
    roles: [gathering('view', ['view'], [a]), role('x', [a], { 'to-view': 'false' })],
    changes: { view: [] },
  },
  {
    what: 'a role does not gather itself',
    roles: [gathering('view', ['view'], [a], toView)],
    changes: { view: [] },
  },
  {
    what: 'an aggregated role is gathered with the rules that it has',
    roles: [
      gathering('edit', ['edit'], []),
      gathering('view', ['view'], [a], toEdit),
      role('x', [b], toView),
    ],
    changes: { edit: [a], view: [b] },
  },
];

for (const { what, roles, changes } of cases) {
  test(what, () => {
    const found = outdatedRoles(roles).map(change => [change.role.metadata.name, change.rules]);
    assert.deepEqual(Object.fromEntries(found), changes);
  });
}
