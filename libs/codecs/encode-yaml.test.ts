import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { runCounted } from '@binnacle/event-loop/testing';
import {
  encodeYaml,
  encodeYamlSteps,
  yamlListItem,
  yamlListItemSteps,
  yamlListStart,
} from './encode-yaml.ts';
import { packageYaml } from './test-drivers/package-yaml.ts';
import { parseYamlAtOnce } from './yaml.ts';

/** Texts that cover every quoting rule, used alone and combined. */
const atoms = [
  ...[
    'a',
    'n',
    'null',
    'y',
    'yes',
    'true',
    '0x1f',
    '12',
    '1e5',
    '1.5',
    '.5',
    '.inf',
    '.nan',
    '0o7',
    '+1',
    '~',
  ],
  ...['2024-01-01', '2024-01-01T10:00:00Z', '12:30', '1_000', '0b1', ':', ': ', ' ', '#', ' #', '-', '- '],
  ...[
    '?',
    '? ',
    '---',
    '...',
    '%',
    '\n',
    '\n\n',
    '\n ',
    ' \n',
    '\t',
    '"',
    "'",
    '\\',
    '{',
    '[',
    ',',
    '&',
    '*',
  ],
  ...[
    '!',
    '|',
    '>',
    '@',
    '`',
    'é',
    '😀',
    '\ud800',
    '\u0000',
    '\u0001',
    '\u001b',
    '\u007f',
    '\u0085',
    '\u00a0',
  ],
  ...['\u2028', '=', '/', '_', '<', '\r', '', 'x'.repeat(50), 'k'.repeat(600)],
];
const numbers = [0, -0, 1, 1.5, -3, 1e21, 1e-7, 123456789012];

/** Generates deterministic values from a seed. */
function valuesFrom(seed: number) {
  let state = seed;
  const below = (bound: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * bound);
  };
  const text = (): string => Array.from({ length: below(6) }, () => atoms[below(atoms.length)]).join('');
  const value = (depth: number): JsonValue => {
    const kind = below(depth > 0 ? 9 : 5);
    if (kind < 3) return text();
    if (kind === 3) return numbers[below(numbers.length)] ?? 0;
    if (kind === 4) return below(2) === 0 ? null : below(2) === 0;
    if (kind < 7) return Array.from({ length: below(4) }, () => value(depth - 1));
    return Object.fromEntries(Array.from({ length: below(4) }, () => [text(), value(depth - 1)]));
  };
  return { value, text };
}

test('values are encoded as by the YAML package', () => {
  for (const atom of atoms) {
    const object: JsonObject = { a: atom, [atom]: { b: [atom, { [atom]: 1 }] } };
    assert.equal(encodeYaml(object), packageYaml(object));
  }
  const { value } = valuesFrom(7);
  for (let i = 0; i < 3000; i++) {
    const object = { a: value(4), b: value(2) };
    assert.equal(encodeYaml(object), packageYaml(object), JSON.stringify(object));
  }
});

test('root collections are encoded as by the YAML package', () => {
  const { value, text } = valuesFrom(11);
  for (let i = 0; i < 1000; i++) {
    const list = [value(3), value(1)];
    assert.equal(encodeYaml(list), packageYaml(list));
    const map = { [text()]: value(3), [text()]: value(1) };
    assert.equal(encodeYaml(map), packageYaml(map));
  }
  for (const empty of [{}, []]) assert.equal(encodeYaml(empty), packageYaml(empty));
});

test('a list encoded item by item is equal to the list encoded at once', () => {
  const { value } = valuesFrom(13);
  for (let i = 0; i < 1000; i++) {
    const items = [value(4), value(3)];
    const pieces = yamlListStart('items') + items.map(yamlListItem).join('');
    assert.equal(pieces, packageYaml({ items }));
  }
});

test('a large value is encoded in steps, with the same result as at once', () => {
  const { value, text } = valuesFrom(17);
  const many = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
  const map = (count: number, depth: number) => Object.fromEntries(many(count, () => [text(), value(depth)]));
  const texts = Object.fromEntries(many(5000, () => [text(), text()]));
  const longValues: JsonValue[] = [
    many(6000, text),
    map(4000, 2),
    { 'a: b': many(6000, text), ['k'.repeat(2000)]: texts, '': [] },
    { ['list'.repeat(500)]: many(6000, () => value(1)), after: null, '---': map(3000, 1) },
    many(5, () => ({ list: [map(3000, 1)], [text()]: many(3000, () => value(1)) })),
    [many(3000, text), [many(3000, text)], {}, []],
  ];
  for (const long of longValues) {
    const { result, steps } = runCounted(encodeYamlSteps(long));
    assert.equal(result, encodeYaml(long));
    assert.ok(steps >= 5, `${steps} steps`);
    assert.equal(runCounted(yamlListItemSteps(long)).result, yamlListItem(long));
  }
  for (const short of ['a', 1, null, [], {}, { a: [1, { b: 'c' }] }])
    assert.deepEqual(runCounted(encodeYamlSteps(short)), { result: encodeYaml(short), steps: 1 });
});

const longTexts: readonly [what: string, text: string][] = [
  ['one line', 'a'.repeat(200_000)],
  ['digits', '1_'.repeat(100_000)],
  ['lines', 'a line\n b\n\n'.repeat(30_000)],
  ['lines that end in blanks', 'a \n  \n'.repeat(30_000)],
  ['line ends alone', '\n'.repeat(200_000)],
  ['line ends before a text', `${'\n'.repeat(200_000)}a`],
  ['indented lines', ` a${'\n '.repeat(100_000)}b\n\n`],
  ['carriage returns', 'a b \r\n'.repeat(40_000)],
  ['control characters', '\u0001\u001b\u2028x'.repeat(40_000)],
  ['line ends among control characters', `\u0001${' \n\n '.repeat(50_000)}`],
  ['quotation marks', `'"`.repeat(80_000)],
];

for (const [what, text] of longTexts)
  test(`a long text is encoded in steps, with the same result as at once: ${what}`, () => {
    for (const value of [text, { a: text, b: [text, { c: text }] }, [text, ['x', text]]]) {
      const { result, steps } = runCounted(encodeYamlSteps(value));
      assert.equal(result, encodeYaml(value));
      assert.ok(steps > 2, `${steps} steps`);
    }
    assert.deepEqual(parseYamlAtOnce(Buffer.from(encodeYaml({ a: text }))).value, { a: text });
  });
