import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editHeader, withoutHeader } from './edit-header.ts';

test('reasons stand below the introduction, each as comments', () => {
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

test('only the comments at the head are left out: those of a text in the object are its own', () => {
  const body = 'data:\n  script: |\n    # not a comment\n    run\n';
  assert.equal(withoutHeader(editHeader([]) + body), body);
  assert.equal(withoutHeader('# only a comment'), '');
});
