import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse as parseWithPackage } from 'yaml';
import { encodeYaml } from './encode-yaml.ts';
import { largeManifest } from './test-drivers/large-manifest.ts';
import { parseYamlAtOnce, parseYamlSteps } from './yaml.ts';

function parse(text: string) {
  return parseYamlAtOnce(Buffer.from(text));
}

test('only the first document is read', () => {
  const { value } = parse('a: 1\nb: [true, no, null, 2024-01-01, "1"]\n---\nc: d');
  assert.deepEqual(value, { a: 1, b: [true, false, null, '2024-01-01', '1'] });
});

test('duplicate keys are reported with their line, and the last value is used', () => {
  const { value, duplicates } = parse('a: 1\nb:\n  c: 1\n  c: 2\na: 3');
  assert.deepEqual(value, { a: 3, b: { c: 2 } });
  assert.deepEqual(duplicates(), [
    'line 4: key "c" already set in map',
    'line 5: key "a" already set in map',
  ]);
});

test('an empty text is null', () => {
  assert.equal(parse('').value, null);
});

test('JSON text is YAML', () => {
  assert.deepEqual(parse('{"a":{"b":[1]}}').value, { a: { b: [1] } });
});

test('integers of 64 bits are exact', () => {
  const text = 'a: 9007199254740993\nb: [-9223372036854775808, 0x7fffffffffffffff, 18446744073709551615]';
  assert.deepEqual(parse(text).value, {
    a: 9007199254740993n,
    b: [-9223372036854775808n, 9223372036854775807n, 2 ** 64],
  });
});

test('a number too large for a double is refused in JSON, and a string in YAML, as for existing clients', () => {
  const refusal = { code: 400, message: /the number -1E400 is out of range/ };
  assert.throws(() => parse('{"a":[-1E400]}'), refusal);
  assert.deepEqual(parse('a: [-1E400]').value, { a: ['-1E400'] });
});

test('aliases give separate copies of a value', () => {
  const { value } = parse('a: &x {n: 1}\nb: *x');
  const { a, b } = value as { a: object; b: object };
  assert.deepEqual(a, b);
  assert.notEqual(a, b);
});

test('a key named like the prototype is an ordinary key', () => {
  assert.deepEqual(Object.keys(parse('__proto__: {x: 1}').value as object), ['__proto__']);
});

const bomb = [
  'a0: &a0 [x,x,x,x,x,x,x,x,x,x]',
  ...Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(10)}]`),
];
const refused: [what: string, text: string][] = [
  ['broken text', 'a: b: c'],
  ['tags without a handle', 'a: !e!thing b'],
  ['a value that its tag does not have', 'a: !!int b'],
  ['a merge key without a map', 'a: {<<: b}'],
  ['infinite numbers', 'a: .inf'],
  ['alias bombs', bomb.join('\n')],
  ['deep flow collections', '['.repeat(1_000_000)],
  ['deep block collections on one line', '- '.repeat(1_000_000)],
  ['deep indentation', Array.from({ length: 600 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
  ['collections as keys, nested', `${'? '.repeat(500)}a`],
  ['flow collections as keys, nested', '{? ['.repeat(250) + ']: a}'.repeat(250)],
  ['a collection as a key among many', `${'a: b\n'.repeat(1000)}? [c]\n: d\n`],
  ['a long collection as a key', `? [${'a, '.repeat(1000)}]\n: d\n`],
  ['a long text as a key', `? "${'a'.repeat(100_000)}"\n: d\n`],
  ['an alias of a collection as a key', 'a: &a [b]\n*a : c\n'],
  ['an alias of nothing', 'a: *b'],
  ['an alias in what it repeats', 'a: &a [*a]'],
  ['endless directives', '%YAML 1.2\n'.repeat(1000)],
  ['a comma too many in a long list', `[${'a, '.repeat(1000)}, b]`],
  ['a comma too few in a long map', `{${'"a": b, '.repeat(1000)}"c": d "e": f}`],
];
for (const [what, text] of refused) {
  test(`YAML with ${what} is refused`, () => {
    assert.throws(() => parse(text), { code: 400, message: /error decoding YAML/ });
  });
}

const tooLarge: [what: string, text: string][] = [
  ['parts', '#\n'.repeat(1_000_000)],
  ['members', Array.from({ length: 60_000 }, (_, i) => `k${i}: {a: b}\n`).join('')],
  ['members without values', ': a\n'.repeat(100_001)],
  ['list items', '- a\n'.repeat(100_001)],
  ['items of a flow list', `[${'a,'.repeat(100_001)}]`],
  ['items of a list that is JSON', `{"a":[${'"",'.repeat(100_001)}""]}`],
  ['repetitions', `a: &a [${'b,'.repeat(2000)}]\nc:\n${'- *a\n'.repeat(60)}`],
];
for (const [what, text] of tooLarge) {
  test(`YAML with too many ${what} is refused with 413`, () => {
    assert.throws(() => parse(text), { code: 413, message: /more than \d+00000 (?:values|words)/ });
  });
}

test('long collections and strings are parsed in steps, with the same result as short ones', () => {
  const words = Array.from({ length: 9000 }, (_, i) => `word${i}`);
  const lines = (indent: string) => words.join(`\n${indent}`);
  const text = [
    `list: [${words.join(', ')}, last: [${words.join(', ')}]]`,
    `map: {${words.map(word => `${word}: {x: [1, true]}`).join(', ')}}`,
    `plain: ${lines('  ')}`,
    `single: '${lines('  ')}''s'`,
    `double: "${lines('  ')}\\x41\\ud83d\\ude00"`,
    `literal: |2-\n    ${lines('  ')}\n`,
    `folded: >\n  ${words.slice(0, 100).join('\n    ')}\n\n  ${lines('  ')}\n`,
  ].join('\n');
  let steps = 0;
  const work = parseYamlSteps(Buffer.from(text));
  let step = work.next();
  for (; !step.done; step = work.next()) steps++;
  assert.ok(steps > 500, `${steps} steps`);
  // The package needs quadratic time to find duplicate keys.
  const options = { schema: 'core', merge: false, uniqueKeys: false } as const;
  assert.deepEqual(step.value.value, parseWithPackage(text, options));
});

test('a very large manifest is accepted', () => {
  const { value, values } = parse(largeManifest());
  assert.ok(values > 22_000 && values < 25_000, `${values} values`);
  assert.equal((value as { kind: string }).kind, 'CustomResourceDefinition');
});

test('encoded values can be parsed again', () => {
  const value = {
    a: 'yes',
    b: '1',
    c: ['x: y', ''],
    d: { e: null, f: 1.5, g: 'multi\nline' },
    h: 'long '.repeat(50),
  };
  assert.deepEqual(parse(encodeYaml(value)).value, value);
});

test('members are written in order, and strings so that YAML 1.1 parsers read them as strings', () => {
  const value = { b: ['2026-11-21T18:32:30Z', 'yes', 'x', '1:30'], a: { z: true, y: 1 } };
  assert.equal(
    encodeYaml(value),
    'a:\n  "y": 1\n  z: true\nb:\n- "2026-11-21T18:32:30Z"\n- "yes"\n- x\n- "1:30"\n',
  );
});
