import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import {
  createTypeRegistry,
  findUsageEvaluator,
  quotaStateFrom,
  usageCovered,
  usageDifference,
} from '@binnacle/api-types';
import { findRefusal } from './find-refusal.ts';
import { chargedQuota } from './resource-quota.ts';

const registry = createTypeRegistry();
const definition = registry.resource('', 'v1', 'pods');
const evaluator = definition && findUsageEvaluator(definition);

const objectWith = (more: JsonObject): ApiObject =>
  ({ apiVersion: 'v1', kind: 'Any', metadata: { name: 'q' }, ...more }) as ApiObject; // Has what objects must have.
const pod = (cpu: string) =>
  objectWith({ spec: { containers: [{ name: 'c', resources: { requests: { cpu }, limits: { cpu } } }] } });

interface Case {
  readonly name: string;
  readonly status: JsonObject | undefined;
  readonly pod: ApiObject;
  readonly refusal: string | undefined;
}

const hard = { 'requests.cpu': '2', pods: '3' };
const cases: readonly Case[] = [
  {
    name: 'up to the limit',
    status: { hard, used: { 'requests.cpu': '1500m', pods: '2' } },
    pod: pod('500m'),
    refusal: undefined,
  },
  {
    name: 'beyond one of the limits',
    status: { hard, used: { 'requests.cpu': '1500m', pods: '2' } },
    pod: pod('501m'),
    refusal:
      'exceeded quota: q, requested: requests.cpu=501m, used: requests.cpu=1500m, limited: requests.cpu=2',
  },
  {
    name: 'beyond both',
    status: { hard, used: { 'requests.cpu': '2', pods: '3' } },
    pod: pod('1'),
    refusal:
      'exceeded quota: q, requested: pods=1,requests.cpu=1, used: pods=3,requests.cpu=2, limited: pods=3,requests.cpu=2',
  },
  { name: 'no limits yet', status: undefined, pod: pod('9'), refusal: undefined },
  {
    name: 'nothing counted yet',
    status: { hard },
    pod: pod('1'),
    refusal: 'status unknown for quota: q, resources: pods,requests.cpu',
  },
  {
    name: 'nothing said',
    status: { hard, used: { 'requests.cpu': '0', pods: '0' } },
    pod: objectWith({ spec: { containers: [{ name: 'c' }, { name: 'd' }] } }),
    refusal: 'failed quota: q: must specify requests.cpu for: c,d',
  },
  {
    name: 'more used than may be, and nothing more asked for',
    status: { hard: { 'limits.memory': '1' }, used: { 'limits.memory': '2' } },
    pod: objectWith({
      spec: { containers: [{ name: 'c', resources: { limits: { memory: '0' } } }] },
    }),
    refusal: undefined,
  },
];
for (const { name, status, pod: object, refusal } of cases) {
  test(`a creation: ${name}`, () => {
    assert.ok(evaluator);
    const quota = quotaStateFrom(objectWith({ spec: { hard }, ...(status && { status }) }));
    const change = usageCovered(quota, evaluator, object);
    assert.equal(findRefusal({ quota, evaluator, object, creates: true, change }), refusal);
  });
}

test('a charge changes the counted amounts only, and no amount becomes negative', () => {
  assert.ok(evaluator);
  const quota = objectWith({
    spec: { hard: { ...hard, 'limits.cpu': '9' } },
    status: { hard, used: { 'requests.cpu': '500m', pods: '5' } },
  });
  const state = quotaStateFrom(quota);
  const more = usageCovered(state, evaluator, pod('250m'));
  assert.deepEqual(chargedQuota(structuredClone(quota), state, more)['status'], {
    hard,
    used: { 'requests.cpu': '750m', pods: '6' },
  });
  const less = usageDifference(new Map(), usageCovered(state, evaluator, pod('2')));
  assert.deepEqual(chargedQuota(structuredClone(quota), state, less)['status'], {
    hard,
    used: { 'requests.cpu': '0', pods: '4' },
  });
});
