import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { changedByBoth, createMergePatch, replacesList, withMergePatch } from './merge-patch.ts';

const cases: [what: string, original: JsonObject, edited: JsonObject, patch: JsonObject][] = [
  ['nothing', { a: 1, b: [1] }, { b: [1], a: 1 }, {}],
  ['a value that is added, changed and removed', { a: 1, b: 2 }, { b: 3, c: 4 }, { a: null, b: 3, c: 4 }],
  ['a value in an object', { a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, { a: { c: 3 } }],
  ['an item of a list', { a: [1, 2] }, { a: [1, 3] }, { a: [1, 3] }],
  ['an object that becomes a list', { a: { b: 1 } }, { a: [] }, { a: [] }],
  ['a name of the prototype', {}, JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}')],
];
for (const [what, original, edited, patch] of cases)
  test(`the patch between ${what} turns the first into the second`, () => {
    const created = createMergePatch(original, edited);
    assert.deepEqual(created, patch);
    assert.deepEqual(withMergePatch(original, created), edited);
  });

test('a patch says whether it replaces a list', () => {
  assert.equal(replacesList({ a: { b: [] } }), true);
  assert.equal(replacesList({ a: { b: null }, c: 1 }), false);
});

test('fields that both sides changed are named, down to the depth of the patch', () => {
  const patch = { spec: { names: ['x'], size: 2, gone: null }, other: { a: 1 } };
  const before = { spec: { names: ['a'], size: 1, gone: 1 }, other: {} };
  const after = { spec: { names: ['b'], size: 1 }, other: {} };
  assert.deepEqual(changedByBoth(patch, [before, after]), ['spec.names']);
  assert.deepEqual(changedByBoth(patch, [before, { ...before, spec: { ...before.spec, gone: 2 } }]), [
    'spec.gone',
  ]);
  assert.deepEqual(changedByBoth({ spec: { names: ['b'] } }, [before, after]), []);
  assert.deepEqual(changedByBoth(patch, [before, before]), []);
  assert.deepEqual(changedByBoth({ spec: { size: 3 } }, [before, {}]), ['spec']);
});
