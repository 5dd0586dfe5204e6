import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findStorageKey, maxKeyBytes, storageKeyFrom } from './keys.ts';

test('a key begins with a slash, contains no NUL and has a limited length', () => {
  assert.equal(storageKeyFrom('/core/configmaps/a/b'), '/core/configmaps/a/b');
  assert.equal(storageKeyFrom('/'.padEnd(maxKeyBytes, 'a')).length, maxKeyBytes);
  for (const text of [
    '',
    'core/configmaps',
    '/a\0b',
    '/'.padEnd(maxKeyBytes + 1, 'a'),
    `/${'ü'.repeat(maxKeyBytes / 2)}`,
  ])
    assert.throws(() => storageKeyFrom(text), { name: 'MalformedRequest' }, text.slice(0, 20));
});

test('an invalid key can be detected without an error', () => {
  assert.equal(findStorageKey('/core/configmaps/a/b'), '/core/configmaps/a/b');
  assert.equal(findStorageKey('/'.padEnd(maxKeyBytes + 1, 'a')), undefined);
});
