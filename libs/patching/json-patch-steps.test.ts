import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { applyJsonPatch, jsonPatchSteps } from './json-patch.ts';

const data: JsonObject = Object.fromEntries(Array.from({ length: 4000 }, (_, i) => [`k${i}`, 'x']));
const repeated = (count: number, operation: JsonObject) => Array.from({ length: count }, () => operation);
const list = Array.from({ length: 20_000 }, (_, i) => i);

/** Expensive patches, and the minimum number of steps that they take. */
const patches: readonly [what: string, document: JsonValue, patch: JsonValue, steps: number][] = [
  ['40 copies of a large map', { data }, repeated(40, { op: 'copy', from: '/data', path: '/copy' }), 80],
  ['9,000 tests', { data }, repeated(9000, { op: 'test', path: '/data/k1', value: 'x' }), 30],
  ['insertions into a long list', { list }, repeated(3000, { op: 'add', path: '/list/0', value: 1 }), 100],
  ['removals from a long list', { list }, repeated(3000, { op: 'remove', path: '/list/0' }), 100],
  ['a large document', { data: { ...data, list } }, [{ op: 'add', path: '/a', value: { data } }], 12],
];

for (const [what, document, patch, least] of patches)
  test(`${what}: the result in steps is the result at once`, () => {
    let steps = 1;
    const work = jsonPatchSteps(document, patch);
    let step = work.next();
    for (; !step.done; step = work.next()) steps++;
    assert.ok(steps >= least, `${steps} steps`);
    assert.deepEqual(step.value, applyJsonPatch(document, patch));
  });
