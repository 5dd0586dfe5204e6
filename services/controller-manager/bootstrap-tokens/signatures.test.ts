import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BootstrapToken } from '@binnacle/api-types';
import type { Secret } from '@binnacle/api-types/core/v1';
import { findSigningToken, signedData } from './signatures.ts';
import { untilExpiry } from './until-expiry.ts';

const now = Date.UTC(2030, 0, 1);
const fields = {
  'token-id': 'abcdef',
  'token-secret': '0123456789abcdef',
  'usage-bootstrap-signing': 'true',
};

function secretWith(data: Record<string, string>, metadata: Secret['metadata'] = {}): Secret {
  const encoded = Object.entries({ ...fields, ...data }).map(([key, text]) => [
    key,
    Buffer.from(text).toString('base64'),
  ]);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'bootstrap.cluster.io/token',
    metadata: { name: 'bootstrap-token-abcdef', ...metadata },
    data: Object.fromEntries(encoded),
  };
}

function findToken(secret: Secret): BootstrapToken {
  return findSigningToken(secret, now) ?? assert.fail('the token is not for signing');
}

test('tokens for signing are used until they expire', () => {
  assert.equal(findToken(secretWith({})).id, 'abcdef');
  const expiring = secretWith({ expiration: '2030-01-01T00:00:01Z' });
  assert.equal(findSigningToken(expiring, now)?.id, 'abcdef');
  assert.equal(findSigningToken(expiring, now + 1000), undefined);
});

for (const [what, secret] of [
  ['for another use', secretWith({ 'usage-bootstrap-signing': 'false' })],
  ['without a secret', secretWith({ 'token-secret': '' })],
  ['of another id than its secret is named by', secretWith({ 'token-id': 'abcdee' })],
  ['in a secret of another name', secretWith({}, { name: 'abcdef' })],
  ['of an id that is none', secretWith({ 'token-id': 'ABCDEF' }, { name: 'bootstrap-token-ABCDEF' })],
  ['that is being deleted', secretWith({}, { deletionTimestamp: '2030-01-01T00:00:00Z' })],
  ['whose expiration is no time', secretWith({ expiration: 'never' })],
] as const)
  test(`a token ${what} is not used for signing`, () => {
    assert.equal(findSigningToken(secret, now), undefined);
  });

// Worked out with openssl: printf '%s' "$header.$payload" | openssl dgst -sha256 -hmac 0123456789abcdef -binary | basenc --base64url
const signature = 'eyJhbGciOiJIUzI1NiIsImtpZCI6ImFiY2RlZiJ9..psz1NayrXM3IaFzKZGsb5n_mBl7MjtlsZ1xE8MRmF_4';
const signed = { kubeconfig: 'content', other: 'x', 'jws-kubeconfig-abcdef': signature };
const token = findToken(secretWith({}));

test('each token adds its signature, and signatures of other tokens are removed', () => {
  const data = { kubeconfig: 'content', other: 'x', 'jws-kubeconfig-zzzzzz': 'stale' };
  assert.deepEqual(signedData({ data }, [token]), signed);
  assert.deepEqual(signedData({ data }, []), { kubeconfig: 'content', other: 'x' });
});

test('a signature of other content is replaced', () => {
  assert.deepEqual(signedData({ data: { ...signed, 'jws-kubeconfig-abcdef': 'x..y' } }, [token]), signed);
});

test('a signed ConfigMap, and one without a kubeconfig, are not changed', () => {
  assert.equal(signedData({ data: signed }, [token]), undefined);
  assert.equal(signedData({ data: { 'jws-kubeconfig-abcdef': signature } }, []), undefined);
  assert.equal(signedData({}, [token]), undefined);
});

test('the next check is at the first expiry of a token, at most in an hour', () => {
  const at = (...times: number[]) =>
    untilExpiry(
      times.map(expiresAt => ({ expiresAt })),
      now,
    );
  assert.equal(at(), undefined);
  assert.equal(at(Number.POSITIVE_INFINITY), undefined);
  assert.equal(at(now + 5000, now + 2000.5, Number.POSITIVE_INFINITY), 2001);
  assert.equal(at(now - 1), 1);
  assert.equal(at(now + 1e12), 3600_000);
});
