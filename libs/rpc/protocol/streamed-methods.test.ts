import assert from 'node:assert/strict';
import { test } from 'node:test';
import { admissionContract, storageContract, tokenReviewContract } from '@binnacle/proto';
import { Metadata } from '@grpc/grpc-js';
import { readStreamedMethods, setStreamedMethods } from './streamed-methods.ts';

test('a server that does not name its methods accepts the hot ones of the last release on call streams', () => {
  // The methods of webhook-dispatch became hot after that.
  const hot = [storageContract, admissionContract, tokenReviewContract]
    .flatMap(contract => contract.methods.filter(method => method.hot))
    .map(({ path }) => path);
  assert.deepEqual(readStreamedMethods(new Metadata()), new Set(hot));
});

test('a server accepts the methods that it names, and no others, on call streams', () => {
  for (const paths of [['/a.B/C', '/a.B/D'], []]) {
    const headers = new Metadata();
    setStreamedMethods(headers, paths);
    const accepted = readStreamedMethods(headers);
    const all = ['/a.B/C', '/a.B/D', '/binnacle.internal.storage.Storage/Get'];
    assert.deepEqual(
      all.filter(path => accepted.has(path)),
      paths,
    );
  }
});
