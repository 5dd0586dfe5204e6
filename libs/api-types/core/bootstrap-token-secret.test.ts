import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootstrapTokenFrom } from './bootstrap-token-secret.ts';

const encoded = (data: Record<string, string>) =>
  Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]));

for (const type of ['bootstrap.cluster.io/token', 'bootstrap.kubernetes.io/token'])
  test(`a secret of type ${type} is a bootstrap token`, () => {
    const data = encoded({
      'token-id': 'abcdef',
      'token-secret': '0123456789abcdef',
      expiration: '2030-01-02T03:04:05+01:00',
      'usage-bootstrap-authentication': 'true',
      'usage-bootstrap-signing': 'True',
      'auth-extra-groups': 'system:bootstrappers:a',
    });
    assert.deepEqual(bootstrapTokenFrom({ type, data }), {
      id: 'abcdef',
      secret: '0123456789abcdef',
      expiresAt: Date.UTC(2030, 0, 2, 2, 4, 5),
      usableForAuthentication: true,
      usableForSigning: false,
      extraGroups: 'system:bootstrappers:a',
    });
  });

test('a secret of another type is no bootstrap token', () => {
  for (const type of ['Opaque', 'cluster.io/token', undefined])
    assert.equal(
      bootstrapTokenFrom({ ...(type && { type }), data: encoded({ 'token-id': 'abcdef' }) }),
      undefined,
    );
});

for (const [expiration, expiresAt] of [
  [undefined, Number.POSITIVE_INFINITY],
  ['', Number.POSITIVE_INFINITY],
  ['tomorrow', Number.NEGATIVE_INFINITY],
  ['2030-02-30T00:00:00Z', Number.NEGATIVE_INFINITY],
  ['2030-01-02', Number.NEGATIVE_INFINITY],
] as const)
  test(`a token with the expiration ${JSON.stringify(expiration)} expires at ${expiresAt}`, () => {
    const data = encoded(expiration === undefined ? {} : { expiration });
    assert.equal(bootstrapTokenFrom({ type: 'bootstrap.cluster.io/token', data })?.expiresAt, expiresAt);
  });
