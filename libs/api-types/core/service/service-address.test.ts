import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceAddress } from './service-address.ts';

const cases: readonly [string, object, ReturnType<typeof serviceAddress>][] = [
  ['at its cluster IP', { clusterIP: '10.0.0.7', ports: [{ port: 443 }] }, { host: '10.0.0.7', port: 443 }],
  ['on another port', { clusterIP: '10.0.0.7', ports: [{ port: 80 }] }, undefined],
  ['headless', { clusterIP: 'None', ports: [{ port: 443 }] }, undefined],
  ['not allocated yet', { ports: [{ port: 443 }] }, undefined],
  [
    'outside the cluster',
    { type: 'ExternalName', externalName: 'a.example.com' },
    { host: 'a.example.com', port: 443 },
  ],
  ['nowhere', { type: 'ExternalName' }, undefined],
];

for (const [what, spec, expected] of cases) {
  test(`the address of a service that is called: ${what}`, () => {
    const service = {
      kind: 'Service',
      apiVersion: 'v1',
      metadata: {},
      spec: JSON.parse(JSON.stringify(spec)),
    };
    assert.deepEqual(serviceAddress(service, 443), expected);
  });
}
