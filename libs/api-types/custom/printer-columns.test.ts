import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { printerColumns } from './printer-columns.ts';

const now = Date.parse('2024-01-01T00:00:00Z');

function renderCell(type: string, jsonPath: string, fields: JsonObject): JsonValue | undefined {
  const object = { apiVersion: 'ex.com/v1', kind: 'K', metadata: { name: 'x' }, ...fields };
  const { cells } = printerColumns([{ name: 'Cell', type, jsonPath }]);
  return cells?.(object, now)[1];
}

const list = { list: [{ k: 'a', n: 2.5 }, { k: 'b', n: 3 }, { k: 'c' }] };
const cases: [what: string, type: string, jsonPath: string, fields: JsonObject, cell: JsonValue][] = [
  ['nothing', 'string', '.spec.a', {}, null],
  ['a text', 'string', '.a', { a: 'x y' }, 'x y'],
  ['an empty text', 'string', '.a', { a: '' }, ''],
  ['a number in a column of texts', 'string', '.a', { a: 5 }, '5'],
  ['a yes in a column of texts', 'string', '.a', { a: true }, 'true'],
  ['a list', 'string', '.a', { a: [1, 2] }, '[1,2]'],
  ['large integers in a list', 'string', '.a', { a: [9_007_199_254_740_993n] }, '[9007199254740993]'],
  ['an object', 'string', '.a', { a: { b: 'c' } }, '{"b":"c"}'],
  ['the first of several texts', 'string', '.list[*].k', list, 'a'],
  ['the first of those that a filter leaves', 'string', '.list[?(@.n==3)].k', list, 'b'],
  ['the first of a union', 'string', '.list[2,0].k', list, 'c'],
  ['the first at any depth', 'string', '..k', list, 'a'],
  ['the first of several numbers', 'number', '.list[*].n', list, 2.5],
  ['the whole part of the first of several integers', 'integer', '.list[*].n', list, 2],
  ['none of a list that is empty', 'string', '.list[*].k', { list: [] }, null],
  ['a text in a column of integers', 'integer', '.a', { a: '5' }, null],
  ['a number in a column of yes and no', 'boolean', '.a', { a: 1 }, null],
  ['a no', 'boolean', '.a', { a: false }, false],
  ['a date', 'date', '.a', { a: '2023-12-31T00:00:00Z' }, '24h'],
  ['the first of several dates', 'date', '.a[*]', { a: ['2023-12-31T00:00:00Z', 'x'] }, '24h'],
  ['no date', 'date', '.a', { a: '' }, '<unknown>'],
  ['a date that cannot be read', 'date', '.a', { a: '2023-12-31t00:00:00z' }, '<invalid>'],
  ['a number in a column of dates', 'date', '.a', { a: 5 }, null],
];

describe('a cell of a printer column', () => {
  for (const [what, type, jsonPath, fields, cell] of cases)
    it(what, () => assert.deepEqual(renderCell(type, jsonPath, fields), cell));
});
