import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { test } from 'node:test';
import { keyIdFromKey } from '@binnacle/tokens/testing';
import { issuerDocuments } from './issuer-documents.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const pem = (key: KeyObject) =>
  String(key.export({ type: key.type === 'private' ? 'pkcs8' : 'spki', format: 'pem' }));
const options = {
  issuer: 'https://issuer.example',
  jwksUri: undefined,
  keys: [pem(rsa.privateKey), pem(rsa.publicKey) + pem(ec.publicKey)],
};
const address = '10.0.0.1:6443';

function read(path: string, changes: Partial<Parameters<typeof issuerDocuments>[0]> = {}) {
  const document = issuerDocuments({ ...options, ...changes }, address).get(path);
  return { contentType: document?.contentType, value: JSON.parse(document?.body.toString() ?? 'null') };
}

test('the configuration has the issuer, the URL of the keys at this server, and their algorithms', () => {
  assert.deepEqual(read('/.well-known/openid-configuration'), {
    contentType: 'application/json',
    value: {
      issuer: 'https://issuer.example',
      jwks_uri: 'https://10.0.0.1:6443/openid/v1/jwks',
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES384', 'RS256'],
    },
  });
});

test('the URL of the keys can be another one', () => {
  const jwksUri = 'https://keys.example/jwks';
  assert.equal(read('/.well-known/openid-configuration', { jwksUri }).value.jwks_uri, jwksUri);
});

test('each key is published once, with its public part', () => {
  const { contentType, value } = read('/openid/v1/jwks');
  assert.equal(contentType, 'application/jwk-set+json');
  const shape = value.keys.map((key: Record<string, string>) => [key['kid'], key['alg'], key['use']]);
  assert.deepEqual(shape, [
    [keyIdFromKey(rsa.publicKey), 'RS256', 'sig'],
    [keyIdFromKey(ec.publicKey), 'ES384', 'sig'],
  ]);
  for (const key of value.keys)
    for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi']) assert.equal(member in key, false, member);
});

for (const [what, changes, message] of [
  ['that is no https URL', { issuer: 'http://issuer.example' }, /https/],
  ['that is no URL', { issuer: 'cluster.io/serviceaccount' }, /https/],
  ['with a query', { issuer: 'https://issuer.example?a=b' }, /query or a fragment/],
  ['with a fragment', { issuer: 'https://issuer.example#a' }, /query or a fragment/],
  ['without keys', { keys: [] }, /no key/],
  ['whose keys are not behind https', { jwksUri: 'http://keys.example' }, /keys of the issuer/],
] as const)
  test(`there are no documents for an issuer ${what}`, () => {
    assert.throws(() => issuerDocuments({ ...options, ...changes }, address), message);
  });
