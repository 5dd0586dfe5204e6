import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyJson, type JsonValue } from '@binnacle/api-objects';
import { applyMergePatch } from './merge-patch.ts';

const rows: { document: JsonValue; patch: JsonValue; result: JsonValue }[] = [
  { document: { a: 1 }, patch: {}, result: { a: 1 } },
  { document: { a: 1 }, patch: { b: 2 }, result: { a: 1, b: 2 } },
  { document: { a: 1, b: 2 }, patch: { a: null }, result: { b: 2 } },
  { document: { a: { b: 1, c: 2 } }, patch: { a: { b: null, d: 3 } }, result: { a: { c: 2, d: 3 } } },
  { document: { a: [1, { b: 2 }] }, patch: { a: [3] }, result: { a: [3] } },
  { document: { a: 'x' }, patch: { a: { b: { c: null, d: 1 } } }, result: { a: { b: { d: 1 } } } },
  { document: { a: { b: 1 } }, patch: { a: 'x' }, result: { a: 'x' } },
  { document: { a: 1 }, patch: { a: [null] }, result: { a: [null] } },
  { document: [1], patch: { a: 1 }, result: { a: 1 } },
  { document: { a: 1 }, patch: [2], result: [2] },
];
for (const { document, patch, result } of rows) {
  test(`${JSON.stringify(document)} merged with ${JSON.stringify(patch)}`, () => {
    const before = copyJson([document, patch]);
    const merged = applyMergePatch(document, patch);
    assert.deepEqual(merged, result);
    assert.deepEqual([document, patch], before);
    assert.deepEqual(applyMergePatch(merged, patch), result, 'a second time changes nothing');
  });
}

test('a member named __proto__ is an ordinary member', () => {
  const patch = JSON.parse(
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
  ) as JsonValue;
  const merged = applyMergePatch({}, patch);
  assert.deepEqual(Object.keys(merged as object), ['__proto__', 'constructor']);
  assert.equal(Reflect.get({}, 'polluted'), undefined);
});

test('results share nothing with the patch or the document', () => {
  const document = { a: { b: [1] } };
  const patch = { c: { d: [2] } };
  const merged = applyMergePatch(document, patch) as { a: { b: number[] }; c: { d: number[] } };
  merged.a.b.push(9);
  merged.c.d.push(9);
  assert.deepEqual([document, patch], [{ a: { b: [1] } }, { c: { d: [2] } }]);
});
