import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeYaml } from './encode-yaml.ts';
import { parseYaml } from './yaml.ts';

function parse(text: string) {
  return parseYaml(Buffer.from(text));
}

test('only the first document counts, by the core schema', () => {
  const { value } = parse('a: 1\nb: [true, no, null, 2024-01-01, "1"]\n---\nc: d');
  assert.deepEqual(value, { a: 1, b: [true, 'no', null, '2024-01-01', '1'] });
});

test('keys that occur twice are named with their line, and the last value counts', () => {
  const { value, duplicates } = parse('a: 1\nb:\n  c: 1\n  c: 2\na: 3');
  assert.deepEqual(value, { a: 3, b: { c: 2 } });
  assert.deepEqual(duplicates(), [
    'line 5: key "a" already set in map',
    'line 4: key "c" already set in map',
  ]);
});

test('text without content is null', () => {
  assert.equal(parse('').value, null);
});

test('JSON text is YAML', () => {
  assert.deepEqual(parse('{"a":{"b":[1]}}').value, { a: { b: [1] } });
});

test('aliased values are not shared', () => {
  const { value } = parse('a: &x {n: 1}\nb: *x');
  const { a, b } = value as { a: object; b: object };
  assert.deepEqual(a, b);
  assert.notEqual(a, b);
});

test('a key named like the prototype is a key', () => {
  assert.deepEqual(Object.keys(parse('__proto__: {x: 1}').value as object), ['__proto__']);
});

const bomb = [
  'a0: &a0 [x,x,x,x,x,x,x,x,x,x]',
  ...Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(10)}]`),
];
const refused: [what: string, text: string][] = [
  ['broken text', 'a: b: c'],
  ['custom tags', 'a: !thing b'],
  ['infinite numbers', 'a: .inf'],
  ['alias bombs', bomb.join('\n')],
  ['deep flow collections', '['.repeat(1_000_000)],
  ['deep block collections on one line', '- '.repeat(1_000_000)],
  ['deep indentation', Array.from({ length: 600 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
  ['endless parts', 'a: '.repeat(1_000_000)],
];
for (const [what, text] of refused) {
  test(`YAML with ${what} is refused`, () => {
    assert.throws(() => parse(text), { code: 400, message: /error decoding YAML/ });
  });
}

test('what is written can be read again', () => {
  const value = {
    a: 'yes',
    b: '1',
    c: ['x: y', ''],
    d: { e: null, f: 1.5, g: 'multi\nline' },
    h: 'long '.repeat(50),
  };
  assert.deepEqual(parse(encodeYaml(value)).value, value);
});

test('YAML is written with members in order, and texts so that older readers take them for texts', () => {
  const value = { b: ['2026-11-21T18:32:30Z', 'yes', 'x', '1:30'], a: { z: true, y: 1 } };
  assert.equal(
    encodeYaml(value),
    'a:\n  "y": 1\n  z: true\nb:\n- "2026-11-21T18:32:30Z"\n- "yes"\n- x\n- "1:30"\n',
  );
});
