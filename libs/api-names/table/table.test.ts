import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as tables from './index.ts';

// Under `cluster` one domain stands for two.
const { domainTable: _, ...others } = tables;

for (const [name, table] of Object.entries(others)) {
  test(`the names of ${name} differ from each other in both vocabularies`, () => {
    for (const column of [0, 1] as const) {
      const names = Object.values(table as tables.NameTable).map(row => row[column]);
      assert.equal(new Set(names).size, names.length);
    }
  });
}

test('no name of the vocabulary kubernetes has the domain of the vocabulary cluster', () => {
  for (const table of Object.values(tables) as tables.NameTable[])
    for (const [, kubernetes] of Object.values(table)) assert.doesNotMatch(kubernetes, /cluster\.io/);
});
