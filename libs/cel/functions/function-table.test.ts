import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { mixedFunctionTable } from '../test-drivers/mixed-function-table.ts';
import { types } from '../types/type.ts';
import { createFunctionTable, functionTable } from './function-table.ts';
import { global, method } from './overloads.ts';

suite('the table of functions', () => {
  test('has one signature for each id', () => {
    const one = { name: 'f', overloads: [global('f_int', [types.int], types.int)] };
    const other = { name: 'g', overloads: [method('f_int', [types.string], types.int)] };
    assert.throws(() => createFunctionTable(one, other), /f_int is declared twice/);
  });

  test('has one function for each name', () => {
    const one = { name: 'f', overloads: [global('f_int', [types.int], types.int)] };
    const other = { name: 'f', overloads: [method('f_string', [types.string], types.int)] };
    assert.throws(() => createFunctionTable(one, other), /function f is declared twice/);
  });

  test('numbers of different types are comparable in one table only', () => {
    const idsIn = (table: typeof functionTable) =>
      ['_<_', '_<=_', '_>_', '_>=_'].flatMap(name => (table.get(name)?.overloads ?? []).map(({ id }) => id));
    const added = idsIn(mixedFunctionTable).filter(id => !idsIn(functionTable).includes(id));
    assert.equal(added.length, 24);
    assert.ok(added.includes('greater_equals_uint64_double'));
  });

  test('overloads of a function with the same number of arguments differ in their types', () => {
    for (const { name, overloads } of mixedFunctionTable.values()) {
      const shapes = overloads.map(({ isMethod, parameters }) => JSON.stringify([isMethod, parameters]));
      assert.equal(new Set(shapes).size, shapes.length, name);
    }
  });
});
