import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiObject, formatQuantity, type JsonObject } from '@binnacle/api-objects';
import { persistentVolumeClaimUsage } from './claim-usage.ts';
import { podUsage } from './pod-usage.ts';
import { namesCounted, quotaStateFrom, usageCovered } from './quota-state.ts';
import { addUsage, type Usage, usageDifference } from './usage.ts';
import { objectCountEvaluator } from './usage-evaluators.ts';

const objectWith = (more: JsonObject): ApiObject =>
  ({ apiVersion: 'v1', kind: 'Any', metadata: { name: 'q' }, ...more }) as ApiObject; // It has the required members.
const formatTexts = (usage: Usage) =>
  Object.fromEntries([...usage].map(([name, amount]) => [name, formatQuantity(amount)]));

test('a quota has the names of its spec and its status, and only the limits of the status apply', () => {
  const state = quotaStateFrom(
    objectWith({
      spec: { hard: { pods: '5', secrets: '2' }, scopes: ['BestEffort'] },
      status: { hard: { pods: '4' }, used: { pods: '1', secrets: 'none' } },
    }),
  );
  assert.deepEqual([...state.names], ['pods', 'secrets']);
  assert.deepEqual(formatTexts(state.hard), { pods: '4' });
  assert.deepEqual(formatTexts(state.used), { pods: '1' });
  assert.deepEqual(state.scopes, [{ scope: 'BestEffort', operator: 'Exists', values: [] }]);
});

test('groups and storage class domains are counted under each of their names', () => {
  const leases = { group: 'coordination.cluster.io', resource: 'leases' };
  const names = ['count/leases.coordination.k8s.io', 'count/leases.coordination.cluster.io', 'count/leases'];
  const used = usageCovered({ names, scopes: [] }, objectCountEvaluator(leases), objectWith({}));
  assert.deepEqual(formatTexts(used), {
    'count/leases.coordination.k8s.io': '1',
    'count/leases.coordination.cluster.io': '1',
  });
  const claim = objectWith({
    metadata: { name: 'c', annotations: { 'volume.beta.kubernetes.io/storage-class': 'gold' } },
    spec: { storageClassName: 'lead', resources: { requests: { storage: '1Gi' } } },
  });
  const ofClass = 'gold.storageclass.storage.k8s.io/requests.storage';
  const claimed = usageCovered({ names: [ofClass], scopes: [] }, persistentVolumeClaimUsage, claim);
  assert.deepEqual(formatTexts(claimed), { [ofClass]: '1Gi' });
});

test('an object outside one of the scopes uses nothing', () => {
  const quota = quotaStateFrom(
    objectWith({
      spec: {
        hard: { pods: '5' },
        scopes: ['NotTerminating'],
        scopeSelector: {
          matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }],
        },
      },
    }),
  );
  const usedBy = (spec: JsonObject) => formatTexts(usageCovered(quota, podUsage, objectWith({ spec })));
  assert.deepEqual(usedBy({ priorityClassName: 'high' }), { pods: '1' });
  assert.deepEqual(usedBy({ priorityClassName: 'low' }), {});
  assert.deepEqual(usedBy({ priorityClassName: 'high', activeDeadlineSeconds: 5 }), {});
  assert.deepEqual(formatTexts(usageCovered(quota, podUsage, undefined)), {});
  assert.deepEqual(namesCounted({ names: ['pods', 'services'] }, podUsage), ['pods']);
});

test('a usage difference holds only changed amounts, and its sum with the old usage is the new usage', () => {
  const usage = (amounts: JsonObject) => quotaStateFrom(objectWith({ status: { used: amounts } })).used;
  const before = usage({ cpu: '1', memory: '1Gi', pods: '1' });
  const after = usage({ cpu: '250m', memory: '1024Mi', services: '2' });
  const difference = usageDifference(after, before);
  assert.deepEqual(formatTexts(difference), { cpu: '-750m', pods: '-1', services: '2' });
  const sum = addUsage(before, difference);
  assert.deepEqual(formatTexts(usageDifference(sum, after)), {});
});
