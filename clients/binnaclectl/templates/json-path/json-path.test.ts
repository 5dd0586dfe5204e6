import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { TemplateError } from '../template-error.ts';
import { findResults } from './find-results.ts';
import { jsonPathText } from './json-path-text.ts';
import { parseJsonPath, relaxedJsonPath } from './parse-json-path.ts';

const relaxed: [path: string, template: string | undefined][] = [
  ['foo.bar', '{.foo.bar}'],
  ['{foo.bar}', '{.foo.bar}'],
  ['.foo.bar', '{.foo.bar}'],
  ['{.foo.bar}', '{.foo.bar}'],
  ['', ''],
  ['{foo.bar', undefined],
  ['foo.bar}', undefined],
  ['{foo.bar}}', undefined],
  ['{{foo.bar}', undefined],
];
for (const [path, template] of relaxed)
  test(`${path} is ${template === undefined ? 'no path' : `expanded to ${template}`}`, () => {
    if (template === undefined) assert.throws(() => relaxedJsonPath(path), TemplateError);
    else assert.equal(relaxedJsonPath(path), template);
  });

test('each part of a template has its own results', () => {
  const template = parseJsonPath('{.a}, {.b[*]}');
  assert.deepEqual(findResults(template, { a: 1, b: ['x', 'y'] }), [[1n], [', '], ['x', 'y']]);
  assert.deepEqual(findResults(template, {}), [[], [', '], []]);
});

test('a template can be run for several objects with the same results', () => {
  const template = parseJsonPath('{range .a[*]}{@};{end}{.b}');
  for (const b of ['x', 'y']) assert.equal(jsonPathText(template, { a: [1, 2], b }), `1;2;${b}`);
});

/** A tree in which each object has so many members, down to a depth. */
function createTree(width: number, depth: number): JsonObject {
  const members = Array.from({ length: width }, (_, index) => [
    `m${index}`,
    depth === 0 ? 'x' : createTree(width, depth - 1),
  ]);
  return Object.fromEntries(members);
}

test('the work of a template is bounded, however its steps multiply', () => {
  const tree = createTree(4, 5);
  for (const text of ['{..m0..m1..m2}', '{.*..m0..m1}', '{range .*}{range .*}{..m0..m1}{end}{end}'])
    assert.throws(
      () => findResults(parseJsonPath(text), tree, { mostVisits: 1_000 }),
      /^Error: the template visits too many values$/,
      text,
    );
  const wide = { a: Array.from({ length: 1_000 }, () => 'x'.repeat(100_000)) };
  assert.throws(
    () => jsonPathText(parseJsonPath('{.a}'), wide),
    /^Error: the output has more than \d+ characters$/,
  );
});

test('the nesting of an object and of a template is bounded', () => {
  let nested: JsonValue = 'x';
  for (let level = 0; level < 5_000; level++) nested = { a: nested };
  for (const text of ['{..a}', '{.a}'])
    assert.throws(() => jsonPathText(parseJsonPath(text), nested), /nested deeper than 1000 levels$/);
  assert.throws(() => parseJsonPath(`{${'.'.repeat(70_000)}}`), /has more than 65536 characters$/);
  const filters = `${'[?(@.a'.repeat(300)}${')]'.repeat(300)}`;
  assert.throws(() => parseJsonPath(`{${filters}}`), TemplateError);
});
