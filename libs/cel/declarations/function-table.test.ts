import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { types } from '../types/type.ts';
import { declareFunction, global, method } from './declare.ts';
import { functionTable, functionTableOf, mixedFunctionTable, overloadTable } from './function-table.ts';

suite('the table of functions', () => {
  test('a name that two libraries declare has the signatures of both', () => {
    const ids = functionTable.get('indexOf')?.overloads.map(({ id }) => id);
    assert.deepEqual(ids, ['string_index_of_string', 'string_index_of_string_int', 'list_a_index_of_int']);
  });

  test('an id means one signature', () => {
    const one = declareFunction('f', global('f_int', [types.int], types.int));
    const other = declareFunction('g', method('f_int', [types.string], types.int));
    assert.throws(() => functionTableOf([one], [other]), /f_int is declared twice/);
  });

  test('numbers of two types are compared in one table only', () => {
    const idsIn = (table: typeof functionTable) =>
      ['_<_', '_<=_', '_>_', '_>=_'].flatMap(name => (table.get(name)?.overloads ?? []).map(({ id }) => id));
    const added = idsIn(mixedFunctionTable).filter(id => !idsIn(functionTable).includes(id));
    assert.equal(added.length, 24);
    assert.ok(added.includes('greater_equals_uint64_double'));
    for (const id of idsIn(mixedFunctionTable)) assert.ok(overloadTable.has(id), id);
  });

  test('signatures of one function that take the same number of values are told apart by their types', () => {
    for (const { name, overloads } of mixedFunctionTable.values()) {
      const shapes = overloads.map(({ isMethod, parameters }) => JSON.stringify([isMethod, parameters]));
      assert.equal(new Set(shapes).size, shapes.length, name);
    }
  });
});
