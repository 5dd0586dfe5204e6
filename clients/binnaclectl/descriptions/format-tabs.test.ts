import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatTabs, withoutControls } from './format-tabs.ts';

const cases: [what: string, text: string, formatted: string][] = [
  ['a column is as wide as its widest cell', 'a\tb\nlonger\tc\n', 'a       b\nlonger  c\n'],
  ['a line without the column ends it', 'longer\tc\nno column\na\tb\n', 'longer  c\nno column\na  b\n'],
  ['an empty cell has the width of its column', 'Labels:\ta=b\n\tc=d\n', 'Labels:  a=b\n         c=d\n'],
  ['a column of empty cells is two spaces wide', '\ta\n', '  a\n'],
  [
    'columns to the right are those of their block',
    'a\tb\tc\nd\teee\tf\ng\th\nlong\ti\tj\n',
    'a     b    c\nd     eee  f\ng     h\nlong  i  j\n',
  ],
  ['characters are counted, not their bytes', 'ä😀\tb\nabc\td\n', 'ä😀   b\nabc  d\n'],
  ['the last cell is not padded', 'a\t\nlonger\t\n', 'a       \nlonger  \n'],
];
for (const [what, text, formatted] of cases) test(what, () => assert.equal(formatTabs(text), formatted));

test('control characters are made visible, except tabs and line breaks of the layout', () =>
  assert.equal(withoutControls('a\x1b[2Jb\r\x7f\tc\n'), 'a^[[2Jb\\r^?\tc\n'));
