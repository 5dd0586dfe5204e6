import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCounted } from '@binnacle/event-loop/testing';
import { copyJsonSteps, equalJson, equalJsonSteps, type JsonObject, type JsonValue } from './json.ts';
import { readJson } from './json-text.ts';
import { readJsonSteps } from './read-json-steps.ts';
import { writeJsonSteps } from './write-json-steps.ts';

const members = (count: number, member: (i: number) => JsonValue): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, member(i)]));

/** Values that the server parses, copies and encodes in steps, with their numbers of values. */
const longValues: readonly [what: string, value: JsonValue, values: number][] = [
  ['a map of texts', { kind: 'A', data: members(20_000, () => 'text'), tail: [1] }, 20_000],
  ['a field set deep inside', { a: [{ b: { c: members(25_000, () => ({})) } }, { d: 1 }] }, 25_000],
  ['a list of numbers', { list: Array.from({ length: 40_000 }, (_, i) => i), after: null }, 40_000],
  ['a list of lists', Array.from({ length: 8000 }, (_, i) => [i, 'x', [true]]), 24_000],
  ['a list of maps', Array.from({ length: 8000 }, (_, i) => ({ a: { b: 'c' }, i })), 24_000],
  ['long maps one in another', members(8, () => members(3000, () => 'x,"]}{[\\')), 24_000],
  ['maps that are short, in a map', members(80, () => members(400, () => 1)), 32_000],
  ['texts of marks', members(6000, i => '"\\,:[]{}'.repeat((i % 5) + 1)), 6000],
  ['an exact integer', { list: [9007199254740993n, ...Array.from({ length: 20_000 }, () => 1)] }, 20_000],
];

for (const [what, value, values] of longValues)
  test(`${what}: reading, writing and copying in steps gives the same result as at once`, () => {
    const text = JSON.stringify(value);
    const read = runCounted(readJsonSteps(text));
    assert.deepEqual(read.result, readJson(text));
    assert.equal(JSON.stringify(read.result), text);
    assert.ok(read.steps >= text.length / 262_144, `${read.steps} steps to read`);
    const written = runCounted(writeJsonSteps(value));
    assert.equal(written.result, text);
    assert.ok(written.steps > values / 5000, `${written.steps} steps to write`);
    const copied = runCounted(copyJsonSteps(value));
    assert.deepEqual(copied.result, value);
    assert.ok(copied.steps > values / 5000, `${copied.steps} steps to copy`);
    const indented = JSON.stringify(value, null, 1);
    assert.deepEqual(runCounted(readJsonSteps(indented)).result, value);
  });

for (const [what, value, values] of longValues)
  test(`${what}: comparing in steps gives the same result as at once`, () => {
    const copy = structuredClone(value) as JsonObject; // All of them are containers.
    const compared = runCounted(equalJsonSteps(value, copy));
    assert.equal(compared.result, true);
    assert.ok(compared.steps > values / 5000, `${compared.steps} steps`);
    const key = Object.keys(copy).at(-1) ?? '';
    for (const other of ['other', {}, { deep: [] }, null].filter(one => one !== copy[key])) {
      copy[key] = other;
      assert.equal(runCounted(equalJsonSteps(value, copy)).result, false);
      assert.equal(runCounted(equalJsonSteps(copy, value)).result, false);
    }
    if (Array.isArray(copy)) return;
    delete copy[key];
    assert.equal(runCounted(equalJsonSteps(value, copy)).result, false);
    assert.equal(runCounted(equalJsonSteps(copy, value)).result, false);
  });

test('values of any kind compare in steps as they do at once', () => {
  const values = [
    undefined,
    null,
    0,
    1n,
    '',
    'a',
    true,
    [],
    {},
    [1],
    { 0: 1 },
    { a: {} },
    { a: [] },
    [[]],
    [{}],
  ];
  for (const a of values)
    for (const b of values)
      assert.equal(
        runCounted(equalJsonSteps(a as JsonValue, b as JsonValue)).result,
        equalJson(a as JsonValue, b as JsonValue),
      ); // Some of them are absent.
});

test('a short value needs one step', () => {
  const value = { a: [1, { b: null }], c: 'd' };
  assert.deepEqual(runCounted(readJsonSteps(JSON.stringify(value))), { result: value, steps: 1 });
  assert.deepEqual(runCounted(writeJsonSteps(value)), { result: JSON.stringify(value), steps: 1 });
  assert.deepEqual(runCounted(copyJsonSteps(value)), { result: value, steps: 1 });
});

test('the last one of repeated members counts, wherever they are', () => {
  const fill = 'x'.repeat(100_000);
  const text = `{"a":1,"b":"${fill}","c":{"d":"${fill}"},"a":2,"c":{"e":"${fill}"},"b":3}`;
  assert.deepEqual(runCounted(readJsonSteps(text)).result, JSON.parse(text));
});

test('any number of blanks may be between long members', () => {
  const blank = ' \t\r\n'.repeat(50_000);
  const text = `${blank}{${blank}"a"${blank}:${blank}[${blank}${JSON.stringify(members(20_000, () => 1))}${blank}]${blank}}${blank}`;
  assert.deepEqual(runCounted(readJsonSteps(text)).result, JSON.parse(text));
});

test('a member named like the prototype is an ordinary member', () => {
  const text = `{"__proto__":${JSON.stringify(members(30_000, () => 'x'))},"b":1}`;
  const { result } = runCounted(readJsonSteps(text));
  assert.deepEqual(Object.keys(result as object), ['__proto__', 'b']);
  assert.equal(runCounted(writeJsonSteps(result)).result, text);
  assert.deepEqual(Object.keys(runCounted(copyJsonSteps(result)).result as object), ['__proto__', 'b']);
});

test('members without a value are left out, elements without one are written as null', () => {
  const value = { ...members(2000, () => 'x'), gone: undefined, list: [...Array(1500).keys(), undefined] };
  assert.equal(runCounted(writeJsonSteps(value as never)).result, JSON.stringify(value));
});

const long = JSON.stringify(members(12_000, i => ({ a: i })));
const broken: readonly [what: string, text: string][] = [
  ['no end', long.slice(0, -1)],
  ['two ends', `${long}}`],
  ['another end', `${long.slice(0, -1)}]`],
  ['a comma at its end', `${long.slice(0, -1)},}`],
  ['a comma at its beginning', `{,${long.slice(1)}`],
  ['two commas', long.replace('},"key9000"', '},,"key9000"')],
  ['no comma', long.replace('},"key9000"', '}"key9000"')],
  ['no colon', long.replace('"key9000":', '"key9000"')],
  ['an open text', long.replace('"key9000":', '"key9000:')],
  ['something behind a long member', `{"a":${long} 1}`],
  ['something before a long element', `[1 ${long}]`],
  ['no key before a long member', `{${long}}`],
  ['a blank that JSON does not know before its end', `{"a":${long}\u00a0}`],
  ['a blank that JSON does not know before a long element', `[\u00a0${long}]`],
  ['a blank that JSON does not know at its beginning', `\u00a0${long}`],
  ['a blank that JSON does not know at its end', `${long}\u00a0`],
  ['a number out of range', long.replace('"a":9000', '"a":1e400')],
];
for (const [what, text] of broken)
  test(`long text with ${what} is refused in steps as it is at once`, () => {
    const at = (read: () => JsonValue): unknown => {
      try {
        return read();
      } catch (error) {
        return String(error);
      }
    };
    const expected = at(() => readJson(text));
    assert.equal(typeof expected, 'string');
    assert.equal(
      at(() => runCounted(readJsonSteps(text)).result),
      expected,
    );
  });
