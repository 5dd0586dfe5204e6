import assert from 'node:assert/strict';
import { test } from 'node:test';
import { equalMessages } from './equal-values.ts';

const containers = (cpu: string, value = 'x') => ({
  containers: [{ name: 'c', env: [{ name: 'V', value }], resources: { requests: { cpu } } }],
});

const cases: [what: string, a: object | undefined, b: object | undefined, equal: boolean][] = [
  ['amounts written alike', containers('1'), containers('1'), true],
  ['one amount in other texts', containers('1E3'), containers('1k'), true],
  ['one amount with another sign and fraction', containers('+5'), containers('5.'), true],
  ['other amounts', containers('1'), containers('2'), false],
  ['texts that look like one amount', containers('1', '1E3'), containers('1', '1k'), false],
  ['another number of elements', containers('1'), { containers: [] }, false],
  ['other keys of a map', { overhead: { cpu: '1' } }, { overhead: { memory: '1' } }, false],
  ['one amount in a map', { overhead: { cpu: '1000m' } }, { overhead: { cpu: '1' } }, true],
  ['nothing on one side', undefined, containers('1'), false],
  ['nothing on both sides', undefined, undefined, true],
];

for (const [what, a, b, equal] of cases)
  test(`${what}: ${equal ? 'equal' : 'not equal'}`, () => {
    assert.equal(equalMessages('core.v1.PodSpec', a, b), equal);
    assert.equal(equalMessages('core.v1.PodSpec', b, a), equal);
  });
