import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { understood } from '@binnacle/api-names';
import type { RoleBinding } from '../generated/rbac/v1.ts';
import { create, update } from '../test-drivers/process.ts';
import { nameBindingGroups } from './bindings.ts';

const group = 'rbac.authorization.cluster.io';
const clusterRef = { kind: 'ClusterRole', name: 'r' };

interface Case {
  readonly what: string;
  readonly resource: string;
  readonly content: Record<string, unknown>;
  readonly findings: readonly string[];
}

const cases: readonly Case[] = [
  { what: 'a role without rules', resource: 'roles', content: {}, findings: [] },
  {
    what: 'a name with colons',
    resource: 'clusterroles',
    content: { metadata: { name: 'system:Node' } },
    findings: [],
  },
  {
    what: 'a name with a slash',
    resource: 'roles',
    content: { metadata: { name: 'a/b' } },
    findings: ['Invalid metadata.name'],
  },
  {
    what: 'an empty rule',
    resource: 'roles',
    content: { rules: [{}] },
    findings: ['Required rules[0].verbs', 'Required rules[0].apiGroups', 'Required rules[0].resources'],
  },
  {
    what: 'paths in a namespace',
    resource: 'roles',
    content: { rules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }] },
    findings: ['Invalid rules[0].nonResourceURLs'],
  },
  {
    what: 'paths in the cluster',
    resource: 'clusterroles',
    content: { rules: [{ verbs: ['get'], nonResourceURLs: ['/x*'] }] },
    findings: [],
  },
  {
    what: 'paths and resources in one rule',
    resource: 'clusterroles',
    content: { rules: [{ verbs: ['get'], nonResourceURLs: ['/x'], resources: ['pods'] }] },
    findings: ['Invalid rules[0].nonResourceURLs'],
  },
  {
    what: 'an aggregation of nothing',
    resource: 'clusterroles',
    content: { aggregationRule: {} },
    findings: ['Required aggregationRule.clusterRoleSelectors'],
  },
  {
    what: 'a binding without anything',
    resource: 'rolebindings',
    content: {},
    findings: ['NotSupported roleRef.kind', 'Required roleRef.name'],
  },
  {
    what: 'a binding of a namespaced role in the cluster',
    resource: 'clusterrolebindings',
    content: { roleRef: { kind: 'Role', name: 'r' } },
    findings: ['NotSupported roleRef.kind'],
  },
  {
    what: 'a binding to a role of another group',
    resource: 'rolebindings',
    content: { roleRef: { ...clusterRef, apiGroup: 'x' } },
    findings: ['NotSupported roleRef.apiGroup'],
  },
  {
    what: 'subjects of every kind',
    resource: 'rolebindings',
    content: {
      roleRef: clusterRef,
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'Group', name: 'system:masters' },
        { kind: 'ServiceAccount', name: 's', namespace: 'n' },
      ],
    },
    findings: [],
  },
  {
    what: 'subjects that are none',
    resource: 'clusterrolebindings',
    content: {
      roleRef: clusterRef,
      subjects: [
        { kind: 'Robot', name: 'r' },
        { kind: 'User' },
        { kind: 'Group', name: 'g', apiGroup: 'x' },
        { kind: 'ServiceAccount', name: 'A' },
      ],
    },
    findings: [
      'NotSupported subjects[0].kind',
      'Required subjects[1].name',
      'NotSupported subjects[2].apiGroup',
      'Invalid subjects[3].name',
      'Required subjects[3].namespace',
    ],
  },
  {
    what: 'a service account without namespace, in a namespace',
    resource: 'rolebindings',
    content: { roleRef: clusterRef, subjects: [{ kind: 'ServiceAccount', name: 's' }] },
    findings: [],
  },
];

describe('roles and bindings', () => {
  for (const { what, resource, content, findings } of cases)
    it(`${resource}: ${what}`, () => assert.deepEqual(create(resource, content).findings, findings));

  const inGroup = (apiGroup: string) => ({ ...clusterRef, apiGroup });

  for (const written of understood.groups.rbac)
    it(`keep groups as they were written (${written})`, () => {
      const rules = [{ verbs: ['get'], apiGroups: ['', written, 'networking.k8s.io'], resources: ['*'] }];
      assert.deepEqual(create('roles', { rules }).object['rules'], rules);
      assert.deepEqual(create('clusterroles', { rules }).object['rules'], rules);
      const subjects = [
        { kind: 'User', name: 'u', apiGroup: written },
        { kind: 'Group', name: 'g', apiGroup: written },
      ];
      const binding = create('rolebindings', { roleRef: inGroup(written), subjects });
      assert.deepEqual(binding.findings, []);
      assert.deepEqual(binding.object['roleRef'], inGroup(written));
      assert.deepEqual(binding.object['subjects'], subjects);
    });

  it('have the default group in references without one', () => {
    const { object } = create('rolebindings', {
      roleRef: clusterRef,
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'ServiceAccount', name: 's', namespace: 'n' },
      ],
    });
    assert.deepEqual(object['roleRef'], inGroup(group));
    assert.deepEqual(object['subjects'], [
      { kind: 'User', name: 'u', apiGroup: group },
      { kind: 'ServiceAccount', name: 's', namespace: 'n' },
    ]);
  });

  it('take the default group of references from the request path', () => {
    const binding: RoleBinding = {
      ...create('rolebindings', {}).object,
      roleRef: { kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'Group', name: 'g' },
        { kind: 'User', name: 'u', apiGroup: group },
      ],
    };
    nameBindingGroups(binding, 'rbac.example');
    assert.equal(binding.roleRef?.apiGroup, 'rbac.example');
    assert.deepEqual(
      binding.subjects?.map(({ apiGroup }) => apiGroup),
      ['rbac.example', group],
    );
  });

  it('cannot change the role of a binding', () => {
    const old = create('rolebindings', { roleRef: clusterRef }).object;
    assert.deepEqual(update('rolebindings', { roleRef: clusterRef, subjects: [] }, { old }).findings, []);
    assert.deepEqual(
      update('rolebindings', { roleRef: { ...clusterRef, name: 'other' } }, { old }).findings,
      ['Invalid roleRef'],
    );
    // A reference by a group alias is the same reference.
    for (const written of understood.groups.rbac)
      assert.deepEqual(update('rolebindings', { roleRef: inGroup(written) }, { old }).findings, []);
  });
});
