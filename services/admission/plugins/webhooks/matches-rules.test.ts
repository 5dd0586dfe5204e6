import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTypeRegistry } from '@binnacle/api-types';
import type { Operation } from '@binnacle/proto';
import { matchesRules } from './matches-rules.ts';
import { readWebhooks } from './webhook.ts';

const registry = createTypeRegistry();

interface Case {
  readonly rule: Record<string, string[] | string>;
  /** group, resource, subresource, operation */
  readonly request: readonly [string, string, string, Operation];
  readonly matches: boolean;
}

const all = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] };
const cases: readonly Case[] = [
  { rule: all, request: ['', 'configmaps', '', 'CREATE'], matches: true },
  { rule: all, request: ['', 'pods', 'status', 'UPDATE'], matches: false },
  { rule: { ...all, resources: ['*/*'] }, request: ['', 'pods', 'status', 'UPDATE'], matches: true },
  { rule: { ...all, resources: ['*/*'] }, request: ['', 'pods', '', 'UPDATE'], matches: true },
  { rule: { ...all, resources: ['*/status'] }, request: ['', 'services', 'status', 'UPDATE'], matches: true },
  { rule: { ...all, resources: ['*/status'] }, request: ['', 'services', '', 'UPDATE'], matches: false },
  { rule: { ...all, resources: ['pods/*'] }, request: ['', 'pods', 'status', 'UPDATE'], matches: true },
  {
    rule: { ...all, resources: ['services/status'] },
    request: ['', 'pods', 'status', 'UPDATE'],
    matches: false,
  },
  { rule: { ...all, operations: ['CREATE'] }, request: ['', 'configmaps', '', 'UPDATE'], matches: false },
  {
    rule: { ...all, apiGroups: [''] },
    request: ['coordination.cluster.io', 'leases', '', 'CREATE'],
    matches: false,
  },
  {
    rule: { ...all, apiGroups: ['coordination.k8s.io'] },
    request: ['coordination.cluster.io', 'leases', '', 'CREATE'],
    matches: true,
  },
  {
    rule: { ...all, apiGroups: ['coordination.cluster.io'] },
    request: ['coordination.cluster.io', 'leases', '', 'CREATE'],
    matches: true,
  },
  { rule: { ...all, apiVersions: ['v1beta1'] }, request: ['', 'configmaps', '', 'CREATE'], matches: false },
  { rule: { ...all, scope: 'Namespaced' }, request: ['', 'namespaces', '', 'CREATE'], matches: false },
  { rule: { ...all, scope: 'Cluster' }, request: ['', 'namespaces', '', 'CREATE'], matches: true },
  { rule: { ...all, scope: 'Cluster' }, request: ['', 'configmaps', '', 'CREATE'], matches: false },
];

test('a rule matches the group of a definition by its name, even if that ends like an alias', () => {
  const definition = { ...registry.resource('', 'v1', 'configmaps')!, group: 'sea.k8s.io' }; // It is built in.
  const matches = (group: string) => {
    const rule: Case['rule'] = { ...all, apiGroups: [group] };
    const webhooks = [{ rules: [rule] }];
    const [webhook] = readWebhooks({ apiVersion: '', kind: '', metadata: {}, webhooks });
    return matchesRules(webhook?.rules ?? [], { operation: 'CREATE', definition, subresource: '' });
  };
  assert.deepEqual(['sea.k8s.io', 'air.k8s.io'].map(matches), [true, false]);
});

test('a rule matches by operation, group, version, resource and scope', () => {
  for (const { rule, request, matches } of cases) {
    const [group, resource, subresource, operation] = request;
    const definition = registry.resource(group, 'v1', resource);
    assert.ok(definition);
    const [webhook] = readWebhooks({ apiVersion: '', kind: '', metadata: {}, webhooks: [{ rules: [rule] }] });
    const found = matchesRules(webhook?.rules ?? [], { operation, definition, subresource });
    assert.equal(found, matches, JSON.stringify({ rule, request }));
  }
});
