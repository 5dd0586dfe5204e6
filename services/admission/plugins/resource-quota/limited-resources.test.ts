import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { createTypeRegistry, findUsageEvaluator, quotaStateFrom } from '@binnacle/api-types';
import { ownNames } from '../../chain/shown-names.ts';
import { limitedResourcesFrom, missingQuota } from './limited-resources.ts';

const definition = createTypeRegistry().resource('', 'v1', 'pods');
const evaluator = definition && findUsageEvaluator(definition);

const objectWith = (more: JsonObject): ApiObject =>
  ({ apiVersion: 'v1', kind: 'Any', metadata: { name: 'q' }, ...more }) as ApiObject; // Has what objects must have.
const configured = (document: JsonObject) =>
  limitedResourcesFrom({ document, directory: '/', names: ownNames });
const limited = configured({
  apiVersion: 'apiserver.config.cluster.io/v1',
  kind: 'ResourceQuotaConfiguration',
  limitedResources: [
    { resource: 'pods', matchContains: ['example.com/'] },
    { resource: 'pods', matchScopes: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] },
    { apiGroup: 'apps', resource: 'deployments', matchContains: ['count/'] },
  ],
});

const disk = { containers: [{ name: 'c', resources: { requests: { 'example.com/disk': '1' } } }] };
const forDisk = { status: { hard: { 'requests.example.com/disk': '4' } } };
const forHigh = {
  spec: {
    scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] },
  },
};
const noDisk = 'insufficient quota to consume: requests.example.com/disk';
const noHigh = 'insufficient quota to match these scopes: PriorityClass In [high]';
const cases: readonly {
  readonly pod: JsonObject;
  readonly quotas: readonly JsonObject[];
  readonly why?: string;
}[] = [
  { pod: {}, quotas: [] },
  { pod: disk, quotas: [], why: noDisk },
  { pod: disk, quotas: [{ spec: { hard: { 'requests.example.com/disk': '4' } } }], why: noDisk },
  { pod: disk, quotas: [{ ...forDisk, spec: { scopes: ['Terminating'] } }], why: noDisk },
  { pod: disk, quotas: [{}, forDisk] },
  { pod: { priorityClassName: 'high' }, quotas: [forDisk], why: noHigh },
  { pod: { priorityClassName: 'high' }, quotas: [forHigh] },
  { pod: { priorityClassName: 'low' }, quotas: [] },
];
for (const [index, { pod, quotas, why }] of cases.entries()) {
  test(`a pod that ${why === undefined ? 'has the quotas it needs' : `lacks one: ${why}`} (${index})`, () => {
    assert.ok(definition && evaluator);
    const states = quotas.map(quota => quotaStateFrom(objectWith(quota)));
    const write = { definition, evaluator, object: objectWith({ spec: pod }), quotas: states };
    assert.equal(missingQuota(limited, write), why);
  });
}

test('an invalid configuration is refused', () => {
  assert.deepEqual(limitedResourcesFrom(undefined), []);
  assert.throws(() => configured({ limits: [] }), /unknown field "limits"/);
  assert.throws(() => configured({ limitedResources: {} }), /limitedResources is not a list/);
  assert.throws(() => configured({ limitedResources: [{ resources: 'pods' }] }), /unknown field "resources"/);
  const scopes = [{ scope: 'PriorityClass' }];
  assert.throws(
    () => configured({ limitedResources: [{ resource: 'pods', matchScopes: scopes }] }),
    /unknown field "scope"/,
  );
});
