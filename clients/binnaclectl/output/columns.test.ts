import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Columns, columnsText } from './columns.ts';

test('columns stand three spaces apart and at least six characters wide, the last without spaces after it', () => {
  assert.equal(
    columnsText([
      ['NAME', 'A', 'AGE'],
      ['settings', '1', '5d'],
      ['', '22', ''],
    ]),
    'NAME       A     AGE\nsettings   1     5d\n           22    \n',
  );
});

test('a column that has become wider stays wider', () => {
  const columns = new Columns();
  assert.equal(columns.write([['settings', '1']]), 'settings   1\n');
  assert.equal(columns.write([['a', '1']]), 'a          1\n');
});

test('control characters of terminals are made visible', () => {
  assert.equal(columnsText([['a\u001b[2Jb\nc\td', 'x']]), 'a^[[2Jb\\nc^Id   x\n');
});

test('an empty table is an empty text', () => assert.equal(columnsText([]), ''));
