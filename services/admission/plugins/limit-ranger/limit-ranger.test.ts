import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { createReview, pluginFrom, type ReviewParts } from '../../test-drivers/plugin-fixture.ts';
import { limitRanger } from './limit-ranger.ts';

const range = (...limits: JsonObject[]): JsonObject => ({
  metadata: { name: 'r', namespace: 'n' },
  spec: { limits },
});
const plugin = (...ranges: JsonObject[]) =>
  pluginFrom(limitRanger, { objects: { '/v1/limitranges': ranges } });
const container = (name: string, resources?: JsonObject): JsonObject => ({
  name,
  ...(resources && { resources }),
});
const pod = (spec: JsonObject, more: Partial<ReviewParts> = {}) =>
  createReview({ type: '/v1/pods', namespace: 'n', object: { metadata: { name: 'p' }, spec }, ...more });

const defaults = range({
  type: 'Container',
  default: { cpu: '1', memory: '1Gi' },
  defaultRequest: { cpu: '500m' },
});

test('containers get the defaults of limit ranges, and an annotation of the pod lists them', async () => {
  const review = pod({
    containers: [container('a'), container('b', { limits: { cpu: '2', memory: '2Gi' } })],
    initContainers: [container('i', { requests: { cpu: '1m' } })],
  });
  assert.equal(await plugin(defaults).mutate?.(review), 'changed');
  assert.deepEqual(review.object?.['spec'], {
    containers: [
      container('a', { requests: { cpu: '500m' }, limits: { cpu: '1', memory: '1Gi' } }),
      container('b', { requests: { cpu: '500m' }, limits: { cpu: '2', memory: '2Gi' } }),
    ],
    initContainers: [container('i', { requests: { cpu: '1m' }, limits: { cpu: '1', memory: '1Gi' } })],
  });
  assert.deepEqual(review.object?.metadata.annotations, {
    'cluster.io/limit-ranger':
      'LimitRanger plugin set: cpu request for container a; cpu, memory limit for container a; ' +
      'cpu request for container b; cpu, memory limit for init container i',
  });
  assert.deepEqual(review.object?.['status'], { qosClass: 'Burstable' });
});

test('a pod with all amounts, and an update, are not changed', async () => {
  const spec = {
    containers: [container('a', { requests: { cpu: '1' }, limits: { cpu: '1', memory: '1' } })],
  };
  assert.equal(await plugin(defaults).mutate?.(pod(spec)), 'unchanged');
  const update = pod({ containers: [container('a')] }, { operation: 'UPDATE', oldObject: {} });
  assert.equal(await plugin(defaults).mutate?.(update), 'unchanged');
  const elsewhere = pod({ containers: [container('a')] }, { namespace: 'other' });
  assert.equal(await plugin(defaults).mutate?.(elsewhere), 'unchanged');
});

type Case = readonly [title: string, item: JsonObject, use: JsonObject, findings: RegExp | undefined];
const cases: readonly Case[] = [
  ['max', { max: { cpu: '2' } }, { limits: { cpu: '2' } }, undefined],
  ['max, limit above', { max: { cpu: '2' } }, { limits: { cpu: '2001m' } }, /at most 2, .*2001m/],
  ['max, no limit', { max: { cpu: '2' } }, {}, /no limit/],
  [
    'max, request above',
    { max: { cpu: '2' } },
    { limits: { cpu: '2' }, requests: { cpu: '3' } },
    /request is 3/,
  ],
  ['min', { min: { cpu: '100m' } }, { requests: { cpu: '0.1' } }, undefined],
  ['min, request below', { min: { cpu: '100m' } }, { requests: { cpu: '50m' } }, /at least 100m, .*50m/],
  ['min, no request', { min: { cpu: '100m' } }, { limits: { cpu: '1' } }, /no request/],
  [
    'min, limit below',
    { min: { cpu: '100m' } },
    { requests: { cpu: '1' }, limits: { cpu: '50m' } },
    /limit is 50m/,
  ],
  [
    'ratio',
    { maxLimitRequestRatio: { cpu: '2' } },
    { requests: { cpu: '1' }, limits: { cpu: '2' } },
    undefined,
  ],
  [
    'ratio, exact in fractions',
    { maxLimitRequestRatio: { cpu: '1500m' } },
    { requests: { cpu: '2' }, limits: { cpu: '3' } },
    undefined,
  ],
  [
    'ratio, beyond',
    { maxLimitRequestRatio: { cpu: '2' } },
    { requests: { cpu: '1' }, limits: { cpu: '2001m' } },
    /at most 2 times/,
  ],
  ['ratio, no request', { maxLimitRequestRatio: { cpu: '2' } }, { limits: { cpu: '2' } }, /no request/],
  [
    'ratio, no limit',
    { maxLimitRequestRatio: { cpu: '2' } },
    { requests: { cpu: '2' }, limits: { cpu: '0' } },
    /no limit/,
  ],
];
for (const [title, item, resources, findings] of cases)
  for (const list of ['containers', 'initContainers'])
    test(`${list} within limits: ${title}`, async () => {
      const { validate } = plugin(range({ type: 'Container', ...item }));
      const review = pod({ [list]: [container('a', resources)] });
      if (findings === undefined) await validate?.(review);
      else
        await assert.rejects(async () => validate?.(review), {
          code: 403,
          reason: 'Forbidden',
          message: findings,
          details: { name: 'p', kind: 'pods' },
        });
    });

test('the usage of a pod is the larger of the sum of its containers and each init container', async () => {
  const { validate } = plugin(range({ type: 'Pod', max: { memory: '3Gi' } }));
  const using = (memory: string) => container('c', { limits: { memory }, requests: { memory } });
  await validate?.(pod({ containers: [using('1Gi'), using('2Gi')], initContainers: [using('3Gi')] }));
  const together = pod({ containers: [using('2Gi'), using('2Gi')] });
  await assert.rejects(async () => validate?.(together), /memory of a Pod must be at most 3Gi.*4Gi/);
  const before = pod({ containers: [using('1Gi')], initContainers: [using('4Gi')] });
  await assert.rejects(async () => validate?.(before), /limit is 4Gi/);
});

test('every violation is reported', async () => {
  const { validate } = plugin(range({ type: 'Container', max: { cpu: '1', memory: '1Gi' } }));
  const review = pod({ containers: [container('a', { limits: { cpu: '2', memory: '2Gi' } })] });
  await assert.rejects(async () => validate?.(review), /cpu .*; memory /);
});

test('claims are checked against their limits at creation and expansion', async () => {
  const { validate } = plugin(
    range({ type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '2Gi' } }),
  );
  const claim = (storage: string, more: Partial<ReviewParts> = {}) =>
    createReview({
      type: '/v1/persistentvolumeclaims',
      namespace: 'n',
      object: { metadata: { name: 'c' }, spec: { resources: { requests: { storage } } } },
      ...more,
    });
  await validate?.(claim('2Gi'));
  await assert.rejects(async () => validate?.(claim('3Gi')), { code: 403, message: /at most 2Gi/ });
  await assert.rejects(async () => validate?.(claim('1Mi')), { code: 403, message: /at least 1Gi/ });
  const oldObject = { metadata: { name: 'c' } };
  await assert.rejects(async () => validate?.(claim('3Gi', { operation: 'UPDATE', oldObject })), {
    code: 403,
  });
  const leaving = { metadata: { name: 'c', deletionTimestamp: '2020-01-01T00:00:00Z' } };
  await validate?.(claim('3Gi', { operation: 'UPDATE', oldObject: leaving }));
  await validate?.(claim('3Gi', { operation: 'UPDATE', oldObject, subresource: 'status' }));
});
