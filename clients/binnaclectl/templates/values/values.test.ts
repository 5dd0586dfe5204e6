import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatFloat } from './format-float.ts';
import { goJsonText } from './go-json.ts';
import { formatGoValue, type GoValue, goValueFromJson, readMember } from './go-value.ts';
import { unquoteGo } from './unquote-go.ts';

/** Recorded from Go: fmt.Sprintf of each verb. */
const floats: [value: number, g: string, e: string, f2: string, g3: string][] = [
  [0, '0', '0.000000e+00', '0.00', '0'],
  [100000, '100000', '1.000000e+05', '100000.00', '1e+05'],
  [1e6, '1e+06', '1.000000e+06', '1000000.00', '1e+06'],
  [1e21, '1e+21', '1.000000e+21', '1000000000000000000000.00', '1e+21'],
  [123456789, '1.23456789e+08', '1.234568e+08', '123456789.00', '1.23e+08'],
  [2.5, '2.5', '2.500000e+00', '2.50', '2.5'],
  [0.125, '0.125', '1.250000e-01', '0.12', '0.125'],
  [-0.375, '-0.375', '-3.750000e-01', '-0.38', '-0.375'],
  [0.0000025, '2.5e-06', '2.500000e-06', '0.00', '2.5e-06'],
  [0.0001, '0.0001', '1.000000e-04', '0.00', '0.0001'],
];
for (const [value, g, e, f2, g3] of floats)
  test(`${value} is formatted as Go formats it`, () =>
    assert.deepEqual(
      [
        formatFloat(value, 'g'),
        formatFloat(value, 'e', 6),
        formatFloat(value, 'f', 2),
        formatFloat(value, 'g', 3),
      ],
      [g, e, f2, g3],
    ));

test('a number halfway between two is rounded to the even one', () => {
  assert.deepEqual(
    [0.5, 1.5, 2.5].map(value => formatFloat(value, 'f', 0)),
    ['0', '2', '2'],
  );
  assert.equal(
    formatFloat(0.1, 'f', 120),
    `0.1000000000000000055511151231257827021181583404541015625${'0'.repeat(65)}`,
  );
});

const values: [value: GoValue, text: string][] = [
  [undefined, '<nil>'],
  [null, '<nil>'],
  [7n, '7'],
  [0.1, '0.1'],
  [true, 'true'],
  ['a b', 'a b'],
  [[1, 'a', null, [2.5]], '[1 a <nil> [2.5]]'],
  [{ b: 1, a: { c: [] } }, 'map[a:map[c:[]] b:1]'],
];
for (const [value, text] of values) test(`%v prints ${text}`, () => assert.equal(formatGoValue(value), text));

test('a document has the types of Go, and no properties of a prototype', () => {
  assert.equal(goValueFromJson(3), 3n);
  assert.equal(goValueFromJson(3.5), 3.5);
  assert.equal(goValueFromJson(9007199254740993n), 9007199254740993n);
  for (const name of ['constructor', '__proto__', 'toString', 'length'])
    assert.equal(readMember({}, name), undefined);
});

test('JSON is printed as Go prints it', () => {
  const value = { '10': 1, '9': [{}, []], a: '<&>\u2028\b\f\n"', b: { c: 1.2345678901234568e22 } };
  assert.equal(
    goJsonText(value),
    '{"10":1,"9":[{},[]],"a":"\\u003c\\u0026\\u003e\\u2028\\u0008\\u000c\\n\\"","b":{"c":1.2345678901234568e+22}}',
  );
  assert.equal(goJsonText({ a: [1] }, '    '), '{\n    "a": [\n        1\n    ]\n}');
});

const quoted: [quoted: string, text: string | undefined][] = [
  [String.raw`"a\tb\x41\101\u00e9\U0001F600"`, 'a\tbAAé😀'],
  [String.raw`'it\'s "q"'`, 'it\'s "q"'],
  [String.raw`"\'"`, undefined],
  [String.raw`"\q"`, undefined],
  [String.raw`"\ud800"`, undefined],
  [String.raw`"\400"`, undefined],
  ['"a', undefined],
  ['"', undefined],
  ['"a"b"', undefined],
];
for (const [given, text] of quoted)
  test(`${given} is unquoted to ${JSON.stringify(text)}`, () => assert.equal(unquoteGo(given), text));
