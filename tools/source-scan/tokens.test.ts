import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTokens } from './tokens.ts';

const template = '`a$' + '{b(`}`)}c`';

const cases: [what: string, source: string, texts: string[]][] = [
  ['comments are left out', 'a // b\n/* c */ d', ['a', 'd']],
  ['strings are what is between their quotes', `f('x', "y\\"z")`, ['f', '(', 'x', ',', 'y\\"z', ')']],
  ['templates are one piece, with templates inside them', `${template} d`, [template, 'd']],
  ['a slash after a value divides', 'a / b / c', ['a', '/', 'b', '/', 'c']],
  ['a slash elsewhere begins a pattern', 'x = /["/]/g; y', ['x', '=', '/["/]/g', ';', 'y']],
  ['a pattern can follow return', 'return /a{2}/.test(b)', ['return', '/a{2}/', '.', 'test', '(', 'b', ')']],
  ['private names are words', 'this.#a', ['this', '.', '#a']],
];

for (const [what, source, texts] of cases) {
  test(what, () => {
    assert.deepEqual(
      readTokens(source).map(token => token.text),
      texts,
    );
  });
}

test('tokens know their line', () => {
  const lines = readTokens('a\n/*\n*/ b\n`\n` c').map(token => token.line);
  assert.deepEqual(lines, [1, 3, 4, 5]);
});
