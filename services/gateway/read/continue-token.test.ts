import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@binnacle/status-errors';
import type { StorageKey } from '@binnacle/storage-contract';
import { decodeContinueToken, encodeContinueToken } from './continue-token.ts';

const prefix = '/core/configmaps/t/' as StorageKey;
const token = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a token is unchanged after encoding and decoding', () => {
  const written = encodeContinueToken(
    { revision: 278, startAfter: '/core/configmaps/t/c1' as StorageKey },
    prefix,
  );
  assert.equal(
    Buffer.from(written, 'base64url').toString(),
    '{"v":"meta.cluster.io/v1","rv":278,"start":"c1\\u0000"}',
  );
  assert.deepEqual(decodeContinueToken(written, prefix), {
    revision: 278,
    startAfter: '/core/configmaps/t/c1',
  });
});

test('a token without a revision continues at the current one', () => {
  const written = encodeContinueToken(
    { revision: undefined, startAfter: '/core/configmaps/t/c1' as StorageKey },
    prefix,
  );
  assert.equal(decodeContinueToken(written, prefix).revision, undefined);
});

const bad: [string, string][] = [
  ['garbage', 'garbage!'],
  ['another version', token({ v: 'meta.cluster.io/v99', rv: 1, start: 'a\0' })],
  ['revision 0', token({ v: 'meta.cluster.io/v1', rv: 0, start: 'a\0' })],
  ['a revision below -1', token({ v: 'meta.cluster.io/v1', rv: -5, start: 'a\0' })],
  ['no start', token({ v: 'meta.cluster.io/v1', rv: 1 })],
  ['an empty start', token({ v: 'meta.cluster.io/v1', rv: 1, start: '' })],
  ['a way up', token({ v: 'meta.cluster.io/v1', rv: 1, start: '../x' })],
  ['a way up inside', token({ v: 'meta.cluster.io/v1', rv: 1, start: 'a/../../x' })],
  ['an absolute start', token({ v: 'meta.cluster.io/v1', rv: 1, start: '/x' })],
  ['a zero byte inside', token({ v: 'meta.cluster.io/v1', rv: 1, start: 'a\0b\0' })],
  ['null', token(null)],
];
for (const [name, text] of bad) {
  test(`a token with ${name} is refused`, () => {
    assert.throws(
      () => decodeContinueToken(text, prefix),
      (error: unknown) =>
        error instanceof StatusError && error.code === 400 && /continue token/.test(error.message),
    );
  });
}
