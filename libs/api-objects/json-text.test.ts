import assert from 'node:assert/strict';
import { test } from 'node:test';
import { equalJson, type JsonValue } from './json.ts';
import { isInt64, numberFromInteger, numberFromText, readJson } from './json-text.ts';

const numbers: readonly {
  readonly text: string;
  readonly value: number | bigint;
  readonly written?: string;
}[] = [
  { text: '0', value: 0 },
  { text: '-1', value: -1 },
  { text: '9007199254740991', value: 9007199254740991 },
  { text: '-9007199254740991', value: -9007199254740991 },
  { text: '9007199254740992', value: 9007199254740992n },
  { text: '9007199254740993', value: 9007199254740993n },
  { text: '-9007199254740993', value: -9007199254740993n },
  { text: '1234567890123456', value: 1234567890123456 },
  { text: '9223372036854775807', value: 9223372036854775807n },
  { text: '-9223372036854775808', value: -9223372036854775808n },
  { text: '9223372036854775808', value: 2 ** 63, written: '9223372036854776000' },
  { text: '-9223372036854775809', value: -(2 ** 63), written: '-9223372036854776000' },
  {
    text: '123456789012345678901234567890',
    value: 1.2345678901234568e29,
    written: '1.2345678901234568e+29',
  },
  { text: '9007199254740993.0', value: 9007199254740992n, written: '9007199254740992' },
  { text: '1e16', value: 10000000000000000n, written: '10000000000000000' },
  { text: '1152921504606846976.0', value: 1152921504606847000n, written: '1152921504606847000' },
  { text: '-9.223372036854775808e18', value: -(2 ** 63), written: '-9223372036854776000' },
  { text: '1e3', value: 1000, written: '1000' },
  { text: '1.0', value: 1, written: '1' },
  { text: '0.1234567890123456789', value: 0.12345678901234568, written: '0.12345678901234568' },
  { text: '1.7976931348623157e308', value: Number.MAX_VALUE, written: '1.7976931348623157e+308' },
  { text: '1E-400', value: 0, written: '0' },
];

for (const { text, value, written = text } of numbers)
  test(`the number ${text} is read and written at every position`, () => {
    assert.equal(numberFromText(text), value);
    for (const around of ['@', '[@]', '[0,@,1]', '{"a":@}', '{"a": @ }', '{"a":\n\t@\r\n}', '[[[[@]]]]']) {
      const read = readJson(around.replace('@', text));
      assert.equal(JSON.stringify(read), around.replace('@', written).replace(/\s/g, ''));
      assert.ok(equalJson(read, readJson(around.replace('@', text))));
    }
  });

test('a long number is recognized at every position of a text', () => {
  for (let shift = 0; shift < 40; shift++) {
    const text = `{"${'k'.repeat(shift)}":"${'7'.repeat(shift)}","n":[9007199254740993],"z":"${'8'.repeat(40)}"}`;
    assert.equal(JSON.stringify(readJson(text)), text);
  }
});

const infinite = [
  '1E400',
  '-1E400',
  '1e+309',
  '17976931348623159e292',
  `1${'0'.repeat(309)}`,
  `-1${'0'.repeat(400)}.5`,
];

for (const text of infinite)
  test(`the number ${text.slice(0, 24)} is refused at every position`, () => {
    const shown = text.length > 32 ? `${text.slice(0, 32)}…` : text;
    const refusal = { name: 'SyntaxError', message: `the number ${shown} is out of range` };
    assert.throws(() => numberFromText(text), refusal);
    for (const around of ['@', '[0,@]', '{"a":@}', '{"a" : @ }', '{"a":{"b":[{"c":@}]}}'])
      assert.throws(() => readJson(around.replace('@', text)), refusal);
  });

test('strings that look like long numbers stay strings', () => {
  const texts = [
    '9007199254740993',
    ':9007199254740993,',
    ' 1E400',
    ':1e999',
    '\\":9007199254740993',
    '[-9007199254740993]',
  ];
  const value: JsonValue = { texts, other: [1e300, -1e300], '__proto__ ': 9007199254740993n };
  assert.deepEqual(readJson(JSON.stringify(value)), value);
});

test('a member named __proto__ is an own member, beside a long number too', () => {
  const read = readJson('{"__proto__":{"a":9007199254740993}}');
  assert.deepEqual(Object.keys(read as object), ['__proto__']); // The text is an object.
  assert.equal(JSON.stringify(read), '{"__proto__":{"a":9007199254740993}}');
});

test('integers are limited to 64 bits', () => {
  assert.equal(numberFromInteger(5n), 5);
  assert.equal(numberFromInteger(-9007199254740993n), -9007199254740993n);
  assert.equal(numberFromInteger(2n ** 63n), 2 ** 63);
  assert.equal(numberFromInteger(10n ** 400n), Number.POSITIVE_INFINITY);
  assert.deepEqual([1, 9007199254740993n, 2 ** 53, 1.5, '1'].map(isInt64), [true, true, false, false, false]);
});
