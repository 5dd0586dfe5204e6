import assert from 'node:assert/strict';
import type { JsonObject } from '@binnacle/api-objects';
import type { Answer, ConformanceServer } from '../drivers/conformance-server.ts';

/** A collection in one form, and an object to create there. */
interface OneForm {
  readonly collection: string;
  readonly body: JsonObject;
}

/** Two forms of the same objects. */
type TwoForms = readonly [OneForm, OneForm];

/** An object that is created in one form and seen in another. */
interface TwoVersions {
  readonly one: string;
  readonly other: string;
  readonly body: JsonObject;
}

/** An object without what a write changes anyway. */
function readContent(answer: Answer): JsonObject {
  const { metadata: _, ...content } = answer.body;
  return content;
}

/** Creates in one version, labels through the other one, and checks that nothing of the object got lost on the way. */
async function roundTrip(server: ConformanceServer, { one, other, body }: TwoVersions): Promise<void> {
  const created = await server.expect(201, 'POST', one, { body });
  const name = String(created.at('metadata', 'name'));
  const seen = await server.expect(200, 'GET', `${other}/${name}`);
  assert.equal(seen.at('metadata', 'uid'), created.at('metadata', 'uid'));
  assert.notEqual(seen.at('apiVersion'), created.at('apiVersion'));
  await server.expect(200, 'PATCH', `${other}/${name}`, {
    body: { metadata: { labels: { seen: 'yes' } } },
    contentType: 'application/merge-patch+json',
  });
  const back = await server.expect(200, 'GET', `${one}/${name}`);
  assert.equal(back.at('metadata', 'labels', 'seen'), 'yes');
  assert.deepEqual(readContent(back), readContent(created));
  assert.deepEqual(readContent(await server.expect(200, 'GET', `${other}/${name}`)), readContent(seen));
  await server.expect(200, 'DELETE', `${other}/${name}`);
  await server.expect(404, 'GET', `${one}/${name}`);
}

/** Sends what is created in either of two forms through the other one and back. */
export async function bothWays(server: ConformanceServer, [a, b]: TwoForms): Promise<void> {
  await roundTrip(server, { one: a.collection, other: b.collection, body: a.body });
  await roundTrip(server, { one: b.collection, other: a.collection, body: b.body });
}

const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
const resourceMetric = (name: string, target: JsonObject) => ({
  type: 'Resource',
  resource: { name, target },
});

/** Autoscalers of v1, and of v2 with what v1 has no fields for. */
export function autoscalers(namespace: string): TwoForms {
  const collection = (version: string) =>
    `/apis/autoscaling/${version}/namespaces/${namespace}/horizontalpodautoscalers`;
  const v1 = { scaleTargetRef, minReplicas: 2, maxReplicas: 5, targetCPUUtilizationPercentage: 70 };
  const metrics = [
    resourceMetric('cpu', { type: 'Utilization', averageUtilization: 50 }),
    resourceMetric('memory', { type: 'AverageValue', averageValue: '1Gi' }),
  ];
  const policies = [{ type: 'Pods', value: 1, periodSeconds: 60 }];
  const behavior = { scaleDown: { stabilizationWindowSeconds: 60, selectPolicy: 'Min', policies } };
  const v2 = { scaleTargetRef, maxReplicas: 5, metrics, behavior };
  return [
    { collection: collection('v1'), body: { metadata: { name: 'old' }, spec: v1 } },
    { collection: collection('v2'), body: { metadata: { name: 'new' }, spec: v2 } },
  ];
}

/** Events of the core group, and of the group that has their name. */
export function eventsIn(namespace: string): TwoForms {
  const subject = { apiVersion: 'v1', kind: 'Pod', namespace, name: 'p' };
  const core = {
    metadata: { name: 'old' },
    involvedObject: subject,
    reason: 'Pulled',
    message: 'It is there.',
    type: 'Normal',
    source: { component: 'agent', host: 'n1' },
    firstTimestamp: '2024-01-01T00:00:00Z',
    lastTimestamp: '2024-01-01T00:10:00Z',
    count: 3,
  };
  const named = {
    metadata: { name: 'new' },
    regarding: subject,
    reason: 'Pulled',
    note: 'It is there.',
    type: 'Warning',
    action: 'Pull',
    eventTime: '2024-01-01T00:00:00.123456Z',
    reportingController: 'example.com/agent',
    reportingInstance: 'agent-1',
    series: { count: 2, lastObservedTime: '2024-01-01T00:00:01.000001Z' },
  };
  return [
    { collection: `/api/v1/namespaces/${namespace}/events`, body: core },
    { collection: `/apis/events.cluster.io/v1/namespaces/${namespace}/events`, body: named },
  ];
}

/** Priority levels of v1beta2 and v1beta3, which call their shares differently. */
export function priorityLevels(): TwoForms {
  const collection = (version: string) =>
    `/apis/flowcontrol.apiserver.cluster.io/${version}/prioritylevelconfigurations`;
  const limitResponse = { type: 'Queue', queuing: { queues: 8, handSize: 4, queueLengthLimit: 10 } };
  const level = (name: string, shares: string): JsonObject => ({
    metadata: { name },
    spec: { type: 'Limited', limited: { [shares]: 7, limitResponse, lendablePercent: 20 } },
  });
  return [
    { collection: collection('v1beta2'), body: level('round-trip-old', 'assuredConcurrencyShares') },
    { collection: collection('v1beta3'), body: level('round-trip-new', 'nominalConcurrencyShares') },
  ];
}

/** Storage capacities of v1beta1 and v1. */
export function capacities(namespace: string): TwoForms {
  const collection = (version: string) =>
    `/apis/storage.cluster.io/${version}/namespaces/${namespace}/csistoragecapacities`;
  const nodeTopology = { matchLabels: { zone: 'a' } };
  const body = (name: string): JsonObject => ({
    metadata: { name },
    storageClassName: 'fast',
    capacity: '10Gi',
    maximumVolumeSize: '1Gi',
    nodeTopology,
  });
  return [
    { collection: collection('v1beta1'), body: body('old') },
    { collection: collection('v1'), body: body('new') },
  ];
}
