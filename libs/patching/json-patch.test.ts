import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyJson, type JsonValue } from '@binnacle/api-objects';
import { applyJsonPatch } from './json-patch.ts';

const document = { a: { b: [1, 2, 3] }, 'x/y': 1, 'm~n': 2, n: null } as JsonValue;

const applied: { what: string; patch: JsonValue; result: JsonValue }[] = [
  { what: 'no operation', patch: [], result: document },
  {
    what: 'adding a member',
    patch: [{ op: 'add', path: '/c', value: [] }],
    result: { a: { b: [1, 2, 3] }, 'x/y': 1, 'm~n': 2, n: null, c: [] },
  },
  {
    what: 'adding to an array',
    patch: [
      { op: 'add', path: '/a/b/1', value: 9 },
      { op: 'add', path: '/a/b/-', value: 8 },
    ],
    result: { a: { b: [1, 9, 2, 3, 8] }, 'x/y': 1, 'm~n': 2, n: null },
  },
  {
    what: 'escaped names',
    patch: [
      { op: 'remove', path: '/x~1y' },
      { op: 'replace', path: '/m~0n', value: 3 },
    ],
    result: { a: { b: [1, 2, 3] }, 'm~n': 3, n: null },
  },
  {
    what: 'moving and copying',
    patch: [
      { op: 'move', from: '/a/b/0', path: '/n' },
      { op: 'copy', from: '/a', path: '/c' },
    ],
    result: { a: { b: [2, 3] }, c: { b: [2, 3] }, 'x/y': 1, 'm~n': 2, n: 1 },
  },
  {
    what: 'a test that holds',
    patch: [
      { op: 'test', path: '/a', value: { b: [1, 2, 3] } },
      { op: 'test', path: '/n', value: null },
    ],
    result: document,
  },
  {
    what: 'a test that a member is not there',
    patch: [
      { op: 'test', path: '/c', value: null },
      { op: 'add', path: '/c', value: 1 },
      { op: 'remove', path: '/c' },
      { op: 'test', path: '/a/constructor', value: null },
    ],
    result: document,
  },
  {
    what: 'positions from the end',
    patch: [
      { op: 'test', path: '/a/b/-1', value: 3 },
      { op: 'replace', path: '/a/b/-3', value: 7 },
      { op: 'add', path: '/a/b/-1', value: 8 },
      { op: 'add', path: '/a/b/-5', value: 9 },
      { op: 'move', from: '/a/b/-2', path: '/n' },
      { op: 'copy', from: '/a/b/-1', path: '/c' },
    ],
    result: { a: { b: [9, 7, 2, 8] }, 'x/y': 1, 'm~n': 2, n: 3, c: 8 },
  },
  {
    what: 'positions with signs and leading zeros',
    patch: [
      { op: 'remove', path: '/a/b/+1' },
      { op: 'replace', path: '/a/b/00', value: 4 },
      { op: 'test', path: '/a/b/-0', value: 4 },
    ],
    result: { a: { b: [4, 3] }, 'x/y': 1, 'm~n': 2, n: null },
  },
  { what: 'replacing the root', patch: [{ op: 'replace', path: '', value: 5 }], result: 5 },
  {
    what: 'a value of null',
    patch: [{ op: 'add', path: '/a', value: null }],
    result: { a: null, 'x/y': 1, 'm~n': 2, n: null },
  },
];
for (const { what, patch, result } of applied) {
  test(`a patch with ${what} is applied to a copy`, () => {
    const before = copyJson(document);
    const patchBefore = copyJson(patch);
    assert.deepEqual(applyJsonPatch(document, patch), result);
    assert.deepEqual(document, before);
    assert.deepEqual(patch, patchBefore);
  });
}

const refused: { what: string; patch: JsonValue; code?: number }[] = [
  { what: 'that is no list', patch: { op: 'add' }, code: 400 },
  { what: 'of something else than objects', patch: ['add'], code: 400 },
  { what: 'with an unknown operation', patch: [{ op: 'merge', path: '/a' }] },
  { what: 'without a path', patch: [{ op: 'remove' }] },
  { what: 'without a value', patch: [{ op: 'add', path: '/c' }] },
  { what: 'whose test fails', patch: [{ op: 'test', path: '/a', value: 1 }] },
  { what: 'that removes what is not there', patch: [{ op: 'remove', path: '/zz' }] },
  { what: 'that replaces what is not there', patch: [{ op: 'replace', path: '/zz', value: 1 }] },
  { what: 'with a path below nothing', patch: [{ op: 'add', path: '/zz/y', value: 1 }] },
  { what: 'with a position beyond the end', patch: [{ op: 'add', path: '/a/b/9', value: 1 }] },
  { what: 'with a position before the beginning', patch: [{ op: 'remove', path: '/a/b/-4' }] },
  { what: 'that adds before the beginning', patch: [{ op: 'add', path: '/a/b/-5', value: 1 }] },
  { what: 'with a position that is no whole number', patch: [{ op: 'remove', path: '/a/b/1.0' }] },
  { what: 'with a position in letters', patch: [{ op: 'remove', path: '/a/b/1e0' }] },
  { what: 'that removes after the end', patch: [{ op: 'remove', path: '/a/b/-' }] },
  { what: 'that tests what is not there for a value', patch: [{ op: 'test', path: '/zz', value: 1 }] },
  { what: 'that tests a value for null', patch: [{ op: 'test', path: '/a', value: null }] },
  { what: 'that tests below what is not there', patch: [{ op: 'test', path: '/zz/y', value: null }] },
  { what: 'that tests below a null', patch: [{ op: 'test', path: '/n/y', value: null }] },
  { what: 'that tests beyond the end of an array', patch: [{ op: 'test', path: '/a/b/3', value: null }] },
  { what: 'that tests for no value', patch: [{ op: 'test', path: '/zz' }] },
  { what: 'with a path that has no slash', patch: [{ op: 'remove', path: 'a' }] },
  { what: 'that moves a value into itself', patch: [{ op: 'move', from: '/a', path: '/a/b/0' }] },
  { what: 'that reaches for the prototype', patch: [{ op: 'add', path: '/__proto__/polluted', value: 1 }] },
  {
    what: 'that reaches for the constructor',
    patch: [{ op: 'add', path: '/constructor/prototype/polluted', value: 1 }],
  },
  {
    what: 'with too many operations',
    patch: Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/n', value: null })),
    code: 413,
  },
];
for (const { what, patch, code = 422 } of refused) {
  test(`a patch ${what} is refused with ${code}`, () => {
    const before = copyJson(document);
    assert.throws(() => applyJsonPatch(document, patch), { code });
    assert.deepEqual(document, before);
    assert.equal(Reflect.get({}, 'polluted'), undefined);
  });
}

test('a refused operation has the reason Invalid and no causes', () => {
  assert.throws(() => applyJsonPatch({}, [{ op: 'remove', path: '/a' }]), {
    reason: 'Invalid',
    details: {},
    message: /the server rejected our request due to an error in our request/,
  });
});

test('repeated copies that double a document are refused', () => {
  const patch = Array.from({ length: 64 }, () => ({ op: 'copy', from: '/a', path: '/a/-' }));
  assert.throws(() => applyJsonPatch({ a: ['some text'] }, patch), { code: 422, message: /copies add more/ });
});

test('a patch that repeatedly shifts a long array is refused', () => {
  const list = Array.from({ length: 100_000 }, () => 'x');
  const patch = Array.from({ length: 10_000 }, () => ({ op: 'add', path: '/a/0', value: 'y' }));
  assert.throws(() => applyJsonPatch({ a: list }, patch), { code: 422, message: /too often/ });
});

test('values that become nested too deep are refused', () => {
  const patch = Array.from({ length: 600 }, () => ({ op: 'copy', from: '', path: '/a' }));
  assert.throws(() => applyJsonPatch({ a: 1 }, patch), { code: 422, message: /nests deeper/ });
  const wrap: JsonValue[] = [{ op: 'add', path: '/x', value: 1 }];
  for (let i = 0; i < 4000; i++) {
    wrap.push(
      { op: 'add', path: '/y', value: {} },
      { op: 'move', from: '/x', path: '/y/y' },
      { op: 'move', from: '/y', path: '/x' },
    );
  }
  const stacked = wrap.slice(0, 9998);
  const tooDeep = { code: 422, message: /nests deeper/ };
  assert.throws(() => applyJsonPatch({}, stacked), tooDeep);
  // Operations must not traverse such values either, which would overflow the stack.
  assert.throws(() => applyJsonPatch({}, [...stacked, { op: 'copy', from: '/x', path: '/z' }]), tooDeep);
  assert.throws(() => applyJsonPatch({}, [...stacked, { op: 'test', path: '/x', value: {} }]), tooDeep);
});

test('many copies of short values are refused too', () => {
  const document = { a: Array.from({ length: 10_000 }, () => []) };
  const patch = Array.from({ length: 64 }, (_, i) => ({ op: 'copy', from: '/a', path: `/b${i}` }));
  assert.throws(() => applyJsonPatch(document, patch), { code: 422, message: /copies add more than/ });
});

test('a member named __proto__ is an ordinary member', () => {
  const result = applyJsonPatch({}, [{ op: 'add', path: '/__proto__', value: { polluted: 1 } }]);
  assert.deepEqual(Object.keys(result as object), ['__proto__']);
  assert.equal(Reflect.get({}, 'polluted'), undefined);
});
