import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editHeader, withoutHeader } from './edit-header.ts';

test('the reasons of a refusal are comments below the introduction', () => {
  const text = editHeader([
    { head: 'pods "a" was not valid', details: ['spec: Required value', 'two\nlines'], mayBeKept: false },
    { head: 'a syntax error', details: [], mayBeKept: true },
  ]);
  assert.match(text, /^# Please edit the object below\./);
  assert.ok(
    text.endsWith(`#
# pods "a" was not valid:
# * spec: Required value
# * two
# lines
#
# a syntax error
# To send the version below as it is, remove this line.
#
`),
    text,
  );
});

test('only the comments at the head of a file are removed, not those inside texts of the object', () => {
  const body = 'data:\n  script: |\n    # not a comment\n    run\n';
  assert.equal(withoutHeader(editHeader([]) + body), body);
  assert.equal(withoutHeader('# only a comment'), '');
});
