import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldPath } from '@binnacle/api-objects';
import { resourceErrors } from './resource-amount-validation.ts';

const cases: readonly (readonly [
  limits: Record<string, string>,
  requests: Record<string, string>,
  findings: readonly string[],
])[] = [
  [{ cpu: '1' }, { cpu: '500m' }, []],
  [{}, { memory: '1Mi' }, []],
  [{ cpu: '1' }, { cpu: '2' }, ['Invalid r.requests']],
  [{ 'a.b/gpu': '1' }, { 'a.b/gpu': '1' }, []],
  [{ 'a.b/gpu': '2' }, { 'a.b/gpu': '1' }, ['Invalid r.requests']],
  [{}, { 'a.b/gpu': '1' }, ['Required r.limits']],
  [{ 'a.b/gpu': '500m' }, {}, ['Invalid r.limits[a.b/gpu]']],
  [{ cpu: '-1', pods: '1' }, {}, ['Invalid r.limits[cpu]', 'Invalid r.limits[pods]']],
  [{ 'hugepages-2Mi': '2Mi', cpu: '1' }, { 'hugepages-2Mi': '2Mi' }, []],
  [{ 'hugepages-2Mi': '2Mi' }, { 'hugepages-2Mi': '2Mi' }, ['Forbidden r']],
];

describe('the resources of a container', () => {
  for (const [limits, requests, findings] of cases)
    it(`limits ${JSON.stringify(limits)}, requests ${JSON.stringify(requests)}: ${findings.join() || 'valid'}`, () => {
      const errors = resourceErrors({ limits, requests }, fieldPath('r'));
      assert.deepEqual(
        errors.map(error => `${error.type} ${error.field}`),
        findings,
      );
    });
});
