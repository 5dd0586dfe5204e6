import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labels, objects, understood } from '@binnacle/api-names';
import { createTypeRegistry, validateObject } from '@binnacle/api-types';
import { endpointsOfServers, isServerSlice } from './endpoints-of-servers.ts';
import { newObject } from './ensure-objects.ts';
import type { ServerAddress } from './server-leases.ts';

const name = objects.apiService;

const at = (address: string, port = 6443): ServerAddress => ({ address, port });
const port = (number: number) => [{ name: 'https', port: number, protocol: 'TCP' }];

const cases: [what: string, servers: ServerAddress[], slices: [name: string, addresses: string[]][]][] = [
  ['no server', [], []],
  ['one server', [at('10.0.0.1')], [[name, ['10.0.0.1']]]],
  [
    'servers at one port, sorted and each once',
    [at('10.0.0.2'), at('10.0.0.1'), at('10.0.0.2')],
    [[name, ['10.0.0.1', '10.0.0.2']]],
  ],
  [
    'servers at several ports',
    [at('10.0.0.1', 6444), at('10.0.0.2', 6443), at('10.0.0.1', 6443)],
    [
      [name, ['10.0.0.1', '10.0.0.2']],
      [`${name}-6444`, ['10.0.0.1']],
    ],
  ],
  ['an IPv6 server', [at('fd00::1')], [[name, ['fd00::1']]]],
];

const registry = createTypeRegistry();

for (const [what, servers, expected] of cases)
  test(`Endpoints and slices of ${what} have all addresses and are valid`, () => {
    const { endpoints, slices } = endpointsOfServers(servers);
    assert.deepEqual(
      slices.map(slice => [
        slice.name,
        (slice.fields['endpoints'] as { addresses: string[] }[]).flatMap(({ addresses }) => addresses), // Of slices.
      ]),
      expected,
    );
    assert.deepEqual(endpoints.fields, {
      subsets: expected.map(([slice, addresses]) => ({
        addresses: addresses.map(ip => ({ ip })),
        ports: port(slice === `${name}-6444` ? 6444 : 6443),
      })),
    });
    for (const { labels: own, fields, ...object } of [endpoints, ...slices]) {
      const definition = registry.resource(object.group, object.version, object.resource);
      assert.ok(definition);
      const content = { ...fields, metadata: { labels: { ...own } } };
      const created = newObject({ ...object, content }, definition, 0);
      assert.deepEqual(validateObject(definition, created), []);
      assert.ok(object.resource === 'endpoints' || isServerSlice(created));
    }
  });

test('a slice that a user names or labels after the service is not used', () => {
  const serviceLabels = { [labels.serviceName]: name };
  const isOurs = (end: string, metadata: object = { labels: serviceLabels }) =>
    isServerSlice({ metadata: { ...metadata, name: `${name}${end}` } });
  for (const end of ['-a', '-1a', 's', '-']) assert.equal(isOurs(end), false, end);
  assert.equal(isOurs('-6444', {}), false);
  assert.equal(isOurs('-6444'), true);
});

test('slices are found under each alias of their service label', () => {
  const [slice] = endpointsOfServers([at('10.0.0.1')]).slices;
  assert.deepEqual(
    slice?.labels,
    Object.fromEntries(understood.labels.serviceName.map(label => [label, name])),
  );
});
