import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usesClaim } from './release-claim.ts';

const volumes = [
  { name: 'data', persistentVolumeClaim: { claimName: 'c' } },
  { name: 'scratch', ephemeral: { volumeClaimTemplate: {} } },
];
const pod = (spec: object) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec }) as never;

const cases: readonly [string, object, string, boolean][] = [
  ['of a pod that has its node', { nodeName: 'n', volumes }, 'c', true],
  ['of a pod that waits for a node', { volumes }, 'c', false],
  ['of another name', { nodeName: 'n', volumes }, 'd', false],
  ['of a volume that lives as long as its pod', { nodeName: 'n', volumes }, 'p-scratch', true],
  ['of a pod without volumes', { nodeName: 'n' }, 'c', false],
];

for (const [what, spec, claim, used] of cases)
  test(`a claim ${what} is ${used ? '' : 'not '}in use`, () => {
    assert.equal(usesClaim(pod(spec), claim), used);
  });
