import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { runAtOnce } from '@binnacle/event-loop';
import { runCounted } from '@binnacle/event-loop/testing';
import { conflictsSteps } from '../managers/conflicts.ts';
import { managerIdFromIdentity } from '../managers/manager-id.ts';
import { fieldSetFromJson, fieldSetJsonSteps, fieldSetSteps, fieldSetToJson } from './fields-v1.ts';

const members = (count: number, key: (i: number) => string, value: JsonValue = {}): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [key(i), value]));

/** Field sets in FieldsV1 form, and their numbers of fields. */
const sets: readonly [what: string, set: JsonObject, fields: number][] = [
  ['fields of a map', { 'f:data': { '.': {}, ...members(30_000, i => `f:k${i}`) } }, 30_000],
  ['values of a list', { 'f:list': members(20_000, i => `v:"${i}"`) }, 20_000],
  [
    'elements by key',
    { 'f:spec': { 'f:ports': members(8000, i => `k:{"port":${i}}`, { '.': {}, 'f:name': {} }) } },
    8000,
  ],
  [
    'maps in maps',
    members(
      50,
      i => `f:m${i}`,
      members(400, i => `f:k${i}`),
    ),
    20_000,
  ],
];

for (const [what, json, fields] of sets)
  test(`a set of many ${what} is decoded, encoded and listed in steps`, () => {
    const least = fields / 10_000;
    const { result: set, steps } = runCounted(fieldSetSteps(json));
    assert.deepEqual(set, fieldSetFromJson(json));
    assert.ok(steps > least, `${steps} steps to read`);
    const written = runCounted(fieldSetJsonSteps(set));
    assert.equal(JSON.stringify(written.result), JSON.stringify(fieldSetToJson(set)));
    assert.ok(written.steps > least, `${written.steps} steps to write`);
    const conflicts = new Map([
      [managerIdFromIdentity({ manager: 'm', operation: 'Apply', apiVersion: 'v1', subresource: '' }), set],
    ]);
    const listed = runCounted(conflictsSteps(conflicts));
    assert.deepEqual(listed.result, runAtOnce(conflictsSteps(conflicts)));
    assert.ok(listed.steps > least, `${listed.steps} steps to list`);
  });

test('a set that is malformed deep inside is refused', () => {
  assert.throws(() => fieldSetFromJson({ 'f:data': { ...members(5000, i => `f:k${i}`), 'f:x': 'y' } }));
});
