import assert from 'node:assert/strict';
import { test } from 'node:test';
import { components, labels } from '@binnacle/api-names';
import { createIdentity, isExpired } from './identity-lease.ts';

test('servers have an identity from host and port', () => {
  const names = [
    { hostname: 'a', port: 6443 },
    { hostname: 'a', port: 6444 },
    { hostname: 'b', port: 6443 },
  ].map(createIdentity);
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, new RegExp(`^${components.apiserver}-[a-z2-7]{26}$`));
  // The first 16 bytes of the SHA-256 of `a:6443`, in base32.
  assert.equal(names[0], `${components.apiserver}-h7jdjtcmyjqehqexwh2xbftuii`);
});

test('a lease of a server is deleted when it has expired, and other leases are kept', () => {
  const renewTime = '2026-01-01T00:00:00.000000Z';
  const now = Date.parse(renewTime);
  const lease = (seconds: number, component: string) => ({
    metadata: { name: 'a', labels: { [labels.component]: component } },
    spec: { renewTime, leaseDurationSeconds: seconds },
  });
  assert.equal(isExpired(lease(60, components.apiserver), now + 60_000), false);
  assert.equal(isExpired(lease(60, components.apiserver), now + 60_001), true);
  assert.equal(isExpired(lease(60, 'other'), now + 1e9), false);
  assert.equal(isExpired({ metadata: { name: 'a' } }, now), false);
});
