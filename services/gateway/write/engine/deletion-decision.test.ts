import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { createTypeRegistry } from '@binnacle/api-types';
import { type DeletionWish, decideDeletion } from './deletion-decision.ts';

const registry = createTypeRegistry();
const now = Date.parse('2024-05-01T00:00:00Z');
const earlier = '2024-04-30T00:00:00Z';

interface Case {
  readonly what: string;
  readonly resource: 'configmaps' | 'events' | 'namespaces' | 'pods' | 'replicationcontrollers';
  readonly metadata?: Partial<ApiObject['metadata']>;
  readonly body?: Record<string, ApiObject[string]>;
  readonly wish?: Omit<DeletionWish, 'now'>;
  readonly expect: {
    readonly kind: 'unchanged' | 'mark' | 'remove';
    readonly finalizers?: readonly string[] | undefined;
    readonly deletionTimestamp?: string;
    readonly grace?: number | undefined;
    readonly generation?: number;
  };
}

const bound = { spec: { nodeName: 'n1', terminationGracePeriodSeconds: 30 } };
const dying = { deletionTimestamp: earlier, deletionGracePeriodSeconds: 0 };

const cases: readonly Case[] = [
  { what: 'an object that nothing holds goes at once', resource: 'configmaps', expect: { kind: 'remove' } },
  {
    what: 'a finalizer keeps the object, marked',
    resource: 'configmaps',
    metadata: { finalizers: ['example.com/x'] },
    expect: {
      kind: 'mark',
      finalizers: ['example.com/x'],
      deletionTimestamp: '2024-05-01T00:00:00Z',
      grace: 0,
    },
  },
  {
    what: 'marking counts as a change where the server counts them',
    resource: 'configmaps',
    metadata: { finalizers: ['example.com/x'], generation: 3 },
    expect: { kind: 'mark', generation: 4 },
  },
  {
    what: 'a second deletion changes nothing',
    resource: 'configmaps',
    metadata: { finalizers: ['example.com/x'], ...dying },
    expect: { kind: 'unchanged' },
  },
  {
    what: 'Foreground becomes a finalizer behind the others',
    resource: 'configmaps',
    metadata: { finalizers: ['example.com/x'] },
    wish: { propagationPolicy: 'Foreground' },
    expect: { kind: 'mark', finalizers: ['example.com/x', 'foregroundDeletion'] },
  },
  {
    what: 'Orphan becomes a finalizer',
    resource: 'configmaps',
    wish: { propagationPolicy: 'Orphan' },
    expect: { kind: 'mark', finalizers: ['orphan'] },
  },
  {
    what: 'a kind that orphans its dependents does so when nothing is said of them',
    resource: 'replicationcontrollers',
    expect: { kind: 'mark', finalizers: ['orphan'] },
  },
  {
    what: 'what is said of dependents goes before what the kind does with them',
    resource: 'replicationcontrollers',
    wish: { propagationPolicy: 'Background' },
    expect: { kind: 'remove' },
  },
  {
    what: 'the older form, said as well, goes before it too',
    resource: 'replicationcontrollers',
    wish: { orphanDependents: false },
    expect: { kind: 'remove' },
  },
  {
    what: 'what the finalizers of the object say goes before what its kind does',
    resource: 'replicationcontrollers',
    metadata: { finalizers: ['foregroundDeletion'] },
    expect: { kind: 'mark', finalizers: ['foregroundDeletion'] },
  },
  {
    what: 'an event has no dependents that a policy could be about',
    resource: 'events',
    wish: { propagationPolicy: 'Orphan' },
    expect: { kind: 'remove' },
  },
  {
    what: 'nor does the older form mean anything to it',
    resource: 'events',
    wish: { orphanDependents: true },
    expect: { kind: 'remove' },
  },
  {
    what: 'what a policy would have left on an event does not hold it',
    resource: 'events',
    metadata: { finalizers: ['foregroundDeletion'] },
    expect: { kind: 'remove' },
  },
  {
    what: 'the older form of Orphan does the same',
    resource: 'configmaps',
    wish: { orphanDependents: true },
    expect: { kind: 'mark', finalizers: ['orphan'] },
  },
  {
    what: 'Foreground takes the place of Orphan',
    resource: 'configmaps',
    metadata: { finalizers: ['orphan'], ...dying },
    wish: { propagationPolicy: 'Foreground' },
    expect: { kind: 'mark', finalizers: ['foregroundDeletion'], deletionTimestamp: earlier },
  },
  {
    what: 'Background strips the policy and ends the deletion',
    resource: 'configmaps',
    metadata: { finalizers: ['foregroundDeletion'], ...dying },
    wish: { propagationPolicy: 'Background' },
    expect: { kind: 'remove' },
  },
  {
    what: 'without a policy the finalizer that is there stands',
    resource: 'configmaps',
    metadata: { finalizers: ['foregroundDeletion'] },
    expect: { kind: 'mark', finalizers: ['foregroundDeletion'] },
  },
  {
    what: 'a grace period means nothing to a kind without graceful deletion',
    resource: 'configmaps',
    wish: { gracePeriodSeconds: 30 },
    expect: { kind: 'remove' },
  },
  {
    what: 'a namespace stays until its content is gone',
    resource: 'namespaces',
    body: { spec: { finalizers: ['cluster'] }, status: { phase: 'Active' } },
    expect: { kind: 'mark', deletionTimestamp: '2024-05-01T00:00:00Z', grace: undefined },
  },
  {
    what: 'a namespace without content finalizers goes at once',
    resource: 'namespaces',
    body: { spec: {}, status: { phase: 'Active' } },
    expect: { kind: 'remove' },
  },
  {
    what: 'a pod that no node runs goes at once',
    resource: 'pods',
    body: { spec: {} },
    expect: { kind: 'remove' },
  },
  {
    what: 'a pod on a node gets its own grace period',
    resource: 'pods',
    body: bound,
    expect: { kind: 'mark', deletionTimestamp: '2024-05-01T00:00:30Z', grace: 30 },
  },
  {
    what: 'a pod that has ended goes at once',
    resource: 'pods',
    body: { ...bound, status: { phase: 'Succeeded' } },
    expect: { kind: 'remove' },
  },
  {
    what: 'a later deletion shortens the grace period',
    resource: 'pods',
    metadata: { deletionTimestamp: '2024-05-01T00:00:30Z', deletionGracePeriodSeconds: 30 },
    body: bound,
    wish: { gracePeriodSeconds: 5 },
    expect: { kind: 'mark', deletionTimestamp: '2024-05-01T00:00:05Z', grace: 5 },
  },
  {
    what: 'a later deletion does not lengthen it',
    resource: 'pods',
    metadata: { deletionTimestamp: '2024-05-01T00:00:05Z', deletionGracePeriodSeconds: 5 },
    body: bound,
    wish: { gracePeriodSeconds: 50 },
    expect: { kind: 'unchanged' },
  },
  {
    what: 'a grace period of zero removes the pod',
    resource: 'pods',
    metadata: { deletionTimestamp: '2024-05-01T00:00:30Z', deletionGracePeriodSeconds: 30 },
    body: bound,
    wish: { gracePeriodSeconds: 0 },
    expect: { kind: 'remove' },
  },
  {
    what: 'a negative grace period is the shortest graceful one',
    resource: 'pods',
    body: bound,
    wish: { gracePeriodSeconds: -5 },
    expect: { kind: 'mark', grace: 1 },
  },
];

for (const { what, resource, metadata, body, wish, expect } of cases) {
  test(what, () => {
    const definition = registry.resource('', 'v1', resource);
    assert.ok(definition);
    const object: ApiObject = {
      apiVersion: 'v1',
      kind: definition.kind,
      metadata: { name: 'x', ...metadata },
      ...body,
    };
    const before = JSON.stringify(object);
    const decision = decideDeletion(definition, object, { ...wish, now });
    assert.equal(decision.kind, expect.kind);
    assert.equal(JSON.stringify(object), before, 'the stored object was changed');
    if (decision.kind !== 'mark') return;
    const marked = decision.object.metadata;
    if ('finalizers' in expect) assert.deepEqual(marked.finalizers, expect.finalizers);
    if ('deletionTimestamp' in expect) assert.equal(marked.deletionTimestamp, expect.deletionTimestamp);
    if ('grace' in expect) assert.equal(marked.deletionGracePeriodSeconds, expect.grace);
    if ('generation' in expect) assert.equal(marked.generation, expect.generation);
    if (resource === 'namespaces') assert.deepEqual(decision.object['status'], { phase: 'Terminating' });
  });
}
