import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Columns, columnsText } from './columns.ts';
import { outputForm } from './output-form.ts';

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

test('a column that has become wide stays so', () => {
  const columns = new Columns();
  assert.equal(columns.write([['settings', '1']]), 'settings   1\n');
  assert.equal(columns.write([['a', '1']]), 'a          1\n');
});

test('characters that a terminal obeys are made visible', () => {
  assert.equal(columnsText([['a\u001b[2Jb\nc\td', 'x']]), 'a^[[2Jb\\nc^Id   x\n');
});

test('no lines are no text', () => assert.equal(columnsText([]), ''));

const refused: [text: string, message: RegExp][] = [
  ['jsonpath={.metadata}', /^output format "jsonpath" is not supported/],
  ['custom-columns=A:.a', /^output format "custom-columns" is not supported/],
  ['go-template-file=x', /^output format "go-template" is not supported/],
  [
    'xml',
    /^unable to match a printer suitable for the output format "xml", allowed formats are: table,wide,/,
  ],
];

for (const [text, message] of refused) {
  test(`-o ${text} is refused by name`, () => assert.throws(() => outputForm(text), { message }));
}

test('a command allows the formats that it has', () => {
  assert.equal(outputForm('wide', ['wide']), 'wide');
  assert.equal(outputForm(undefined, ['name']), 'table');
  assert.throws(() => outputForm('json', ['name']), /allowed formats are: name$/);
});
