import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alignedRows } from './serve-dump.ts';

test('columns have the width of their widest cell, at least eight characters, and the last one is not padded', () => {
  const table = alignedRows([
    ['Level', 'Index', 'Last'],
    ['a-long-name', '1', 'x'],
  ]);
  assert.equal(table, 'Level,       Index,  Last\na-long-name, 1,      x\n');
});
