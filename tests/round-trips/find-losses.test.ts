import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { messageNamed } from '@binnacle/api-types';
import type { ObjectValue } from './exact-json.ts';
import { findLosses } from './find-losses.ts';

suite('the differences after a round trip', () => {
  for (const [what, message, sent, answer, lost] of [
    ['a zero behind a pointer', 'apps.v1.DeploymentSpec', { replicas: 0 }, {}, ['replicas']],
    [
      'a zero that became a default',
      'apps.v1.DeploymentSpec',
      { replicas: 0 },
      { replicas: 1 },
      ['replicas'],
    ],
    ['a zero without presence', 'apps.v1.DeploymentSpec', { minReadySeconds: 0 }, {}, []],
    ['a null', 'apps.v1.DeploymentSpec', { replicas: null }, { replicas: 1 }, []],
    ['an empty object', 'core.v1.Volume', { name: 'a', emptyDir: {} }, { name: 'a' }, ['emptyDir']],
    [
      'a zero behind a pointer, with nothing beside it',
      'core.v1.PodTemplateSpec',
      { spec: { priority: 0 } },
      {},
      ['spec'],
    ],
    ['an empty map', 'core.v1.ConfigMap', { data: {} }, {}, []],
    ['an empty text of a map', 'core.v1.ConfigMap', { data: { a: '' } }, { data: {} }, ['data[a]']],
    ['an element of a list', 'core.v1.Container', { args: ['a', 'b'] }, { args: ['a'] }, ['args[1]']],
    [
      'a set behind what was there',
      'meta.v1.ObjectMeta',
      { finalizers: ['b', 'a'] },
      { finalizers: ['c', 'b', 'a'] },
      [],
    ],
    [
      'the order of a set',
      'meta.v1.ObjectMeta',
      { finalizers: ['b', 'a'] },
      { finalizers: ['a', 'b'] },
      ['finalizers'],
    ],
    [
      'an empty list in one of several types',
      'apiextensions.v1.JSONSchemaProps',
      { items: { type: 'string', enum: [] } },
      { items: { type: 'string' } },
      [],
    ],
    ['a member that no type describes', undefined, { a: { b: [] } }, { a: {} }, ['[a][b]']],
    ['a null that no type describes', undefined, { a: null }, {}, ['[a]']],
    [
      'a number beyond doubles',
      undefined,
      { a: 9_007_199_254_740_993n },
      { a: 9_007_199_254_740_992n },
      ['[a]'],
    ],
  ] as readonly (readonly [string, string | undefined, ObjectValue, ObjectValue, readonly string[]])[])
    test(`${what}: ${lost.length === 0 ? 'no loss' : lost.join()}`, () => {
      const type = message === undefined ? undefined : messageNamed(message);
      const losses = findLosses(type, sent, { answer, serverOwned: new Set() });
      assert.deepEqual(
        losses.map(({ path }) => path),
        lost,
      );
    });

  test('exclude fields that the server sets', () => {
    const serverOwned = new Set(['status', '*spec.nodeName']);
    const sent = { status: { phase: 'a' }, spec: { nodeName: 'a' } };
    assert.deepEqual(findLosses(messageNamed('core.v1.Pod'), sent, { answer: {}, serverOwned }), [
      { path: 'spec', sent: { nodeName: 'a' }, found: undefined },
    ]);
    const answer = { spec: { nodeName: 'b' } };
    assert.deepEqual(findLosses(messageNamed('core.v1.Pod'), sent, { answer, serverOwned }), []);
  });
});
