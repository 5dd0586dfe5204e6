import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTypeRegistry, validateObject } from '@binnacle/api-types';
import { newObject } from '../bootstrap/ensure-objects.ts';
import { endpointsOfServers, isServerSlice } from './endpoints-of-servers.ts';
import type { ServerAddress } from './server-leases.ts';

const at = (address: string, port = 6443): ServerAddress => ({ address, port });
const port = (number: number) => [{ name: 'https', port: number, protocol: 'TCP' }];

const cases: [what: string, servers: ServerAddress[], slices: [name: string, addresses: string[]][]][] = [
  ['no server', [], []],
  ['one server', [at('10.0.0.1')], [['cluster', ['10.0.0.1']]]],
  [
    'servers at one port, sorted and each once',
    [at('10.0.0.2'), at('10.0.0.1'), at('10.0.0.2')],
    [['cluster', ['10.0.0.1', '10.0.0.2']]],
  ],
  [
    'servers at several ports',
    [at('10.0.0.1', 6444), at('10.0.0.2', 6443), at('10.0.0.1', 6443)],
    [
      ['cluster', ['10.0.0.1', '10.0.0.2']],
      ['cluster-6444', ['10.0.0.1']],
    ],
  ],
  ['an IPv6 server', [at('fd00::1')], [['cluster', ['fd00::1']]]],
];

const registry = createTypeRegistry();

for (const [what, servers, expected] of cases)
  test(`Endpoints and slices of ${what} have all addresses, and are valid`, () => {
    const { endpoints, slices } = endpointsOfServers(servers);
    assert.deepEqual(
      slices.map(({ name, fields }) => [
        name,
        (fields['endpoints'] as { addresses: string[] }[]).flatMap(({ addresses }) => addresses), // Of slices.
      ]),
      expected,
    );
    assert.deepEqual(endpoints.fields, {
      subsets: expected.map(([name, addresses]) => ({
        addresses: addresses.map(ip => ({ ip })),
        ports: port(name === 'cluster-6444' ? 6444 : 6443),
      })),
    });
    for (const { labels, fields, ...object } of [endpoints, ...slices]) {
      const definition = registry.resource(object.group, object.version, object.resource);
      assert.ok(definition);
      const content = { ...fields, metadata: { labels: { ...labels } } };
      const created = newObject({ ...object, content, reconciled: undefined }, definition, 0);
      assert.deepEqual(validateObject(definition, created), []);
      assert.ok(object.resource === 'endpoints' || isServerSlice(created));
    }
  });

test('a slice that a user names or labels after the service is no slice of the servers', () => {
  const labels = { 'cluster.io/service-name': 'cluster' };
  for (const name of ['cluster-a', 'cluster-1a', 'clusters', 'cluster-'])
    assert.equal(isServerSlice({ metadata: { name, labels } }), false, name);
  assert.equal(isServerSlice({ metadata: { name: 'cluster-6444' } }), false);
  assert.equal(isServerSlice({ metadata: { name: 'cluster-6444', labels } }), true);
});
