import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageNamed } from '@binnacle/api-types';
import { floatInIntegerField } from './integer-literals.ts';
import { findFloatLiterals } from './json/float-literals.ts';

test('whole numbers that are written as floats are found with their paths', () => {
  const text = '{"a":[1,2.0,{"b\\"":-1e3}],"c":"1.0","d":1.5,"e":{"f":10E-1},"g":9007199254740993,"h":1.0}';
  assert.deepEqual(findFloatLiterals(text), [
    { steps: ['a', 1], text: '2.0' },
    { steps: ['a', 2, 'b"'], text: '-1e3' },
    { steps: ['e', 'f'], text: '10E-1' },
    { steps: ['h'], text: '1.0' },
  ]);
});

test('at most 1000 of them are reported', () => {
  assert.equal(findFloatLiterals(`[${Array(2000).fill('1.0').join(',')}]`).length, 1000);
});

const deployment = messageNamed('apps.v1.Deployment');
const cases: [what: string, text: string, found: string | undefined][] = [
  ['an int32', '{"spec":{"replicas":1e3}}', 'spec.replicas number 1e3 int32'],
  ['an int64', '{"metadata":{"generation":1.0}}', 'metadata.generation number 1.0 int64'],
  [
    'an element within a list',
    '{"spec":{"template":{"spec":{"containers":[{},{"ports":[{"containerPort":80.0}]}]}}}}',
    'spec.template.spec.containers[1].ports[0].containerPort number 80.0 int32',
  ],
  [
    'an integer or text',
    '{"spec":{"strategy":{"rollingUpdate":{"maxSurge":1e0}}}}',
    'spec.strategy.rollingUpdate.maxSurge number 1e0 int32',
  ],
  [
    'a quantity',
    '{"spec":{"template":{"spec":{"containers":[{"resources":{"limits":{"cpu":1e0}}}]}}}}',
    undefined,
  ],
  ['an unknown field', '{"spec":{"unknown":{"a":1.0}}}', undefined],
  ['an integer', '{"spec":{"replicas":1000}}', undefined],
];

for (const [what, text, found] of cases)
  test(`${what}: ${found === undefined ? 'nothing is wrong' : 'a float is refused'}`, () => {
    const mismatch = floatInIntegerField(deployment, findFloatLiterals(text));
    assert.equal(mismatch && `${mismatch.path} ${mismatch.found} ${mismatch.expected}`, found);
  });
