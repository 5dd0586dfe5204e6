import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create, update } from '../test-drivers/process.ts';

type Case = readonly [what: string, content: Record<string, unknown>, findings: readonly string[]];

const slice = (content: Record<string, unknown>) => ({ addressType: 'IPv4', ...content });
const endpoint = (content: Record<string, unknown>) =>
  slice({ endpoints: [{ addresses: ['10.0.0.1'], ...content }] });
const zones = (...names: string[]) => endpoint({ hints: { forZones: names.map(name => ({ name })) } });
const many = <T>(count: number, item: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => item(i));

const cases: readonly Case[] = [
  ['nothing but a type', slice({}), []],
  ['no type of addresses', {}, ['Required addressType']],
  ['an unknown type of addresses', { addressType: 'X' }, ['NotSupported addressType']],
  ['an endpoint', endpoint({ nodeName: 'n.a', hostname: 'h', zone: 'z' }), []],
  [
    'an endpoint without addresses',
    slice({ endpoints: [{ addresses: [] }] }),
    ['Required endpoints[0].addresses'],
  ],
  ['100 addresses', slice({ endpoints: [{ addresses: many(100, index => `10.0.0.${index}`) }] }), []],
  [
    '101 addresses',
    slice({ endpoints: [{ addresses: many(101, index => `10.0.0.${index}`) }] }),
    ['TooMany endpoints[0].addresses'],
  ],
  [
    'addresses of the other version, of the local host, and no addresses',
    slice({ endpoints: [{ addresses: ['2001:db8::1', '127.0.0.1', 'a'] }] }),
    [0, 1, 2, 2].map(index => `Invalid endpoints[0].addresses[${index}]`),
  ],
  [
    'addresses of the sixth version',
    { addressType: 'IPv6', endpoints: [{ addresses: ['2001:db8::1', 'fe80::1', '10.0.0.1'] }] },
    ['Invalid endpoints[0].addresses[1]', 'Invalid endpoints[0].addresses[2]'],
  ],
  [
    'names instead of addresses',
    { addressType: 'FQDN', endpoints: [{ addresses: ['a.b', 'a', 'A.b'] }] },
    ['Invalid endpoints[0].addresses[1]', 'Invalid endpoints[0].addresses[2]'],
  ],
  [
    'bad names of node and host',
    endpoint({ nodeName: 'A', hostname: 'a.b' }),
    ['Invalid endpoints[0].nodeName', 'Invalid endpoints[0].hostname'],
  ],
  ['zones', zones('a', 'b'), []],
  [
    'zones twice and with bad names',
    zones('a', 'a', 'b c'),
    ['Duplicate endpoints[0].hints.forZones[1].name', 'Invalid endpoints[0].hints.forZones[2].name'],
  ],
  ['9 zones', zones(...'abcdefghi'), ['TooMany endpoints[0].hints.forZones']],
  ['1000 endpoints', slice({ endpoints: many(1000, () => ({ addresses: ['10.0.0.1'] })) }), []],
  [
    '1001 endpoints',
    slice({ endpoints: many(1001, () => ({ addresses: ['10.0.0.1'] })) }),
    ['TooMany endpoints'],
  ],
  ['ports', slice({ ports: [{ port: 80 }, { name: 'a', appProtocol: 'a.b/c' }] }), []],
  ['100 ports', slice({ ports: many(100, index => ({ name: `p${index}` })) }), []],
  ['101 ports', slice({ ports: many(101, index => ({ name: `p${index}` })) }), ['TooMany ports']],
  [
    'two ports of one name',
    slice({ ports: [{ name: 'a' }, { name: 'a' }, {}, {}] }),
    ['Duplicate ports[1].name', 'Duplicate ports[3].name'],
  ],
  [
    'a port that is wrong in every way',
    slice({ ports: [{ name: 'A', port: 65536, protocol: 'X', appProtocol: '/' }] }),
    [
      'NotSupported ports[0].protocol',
      'Invalid ports[0].name',
      'Invalid ports[0].port',
      ...Array(3).fill('Invalid ports[0].appProtocol'),
    ],
  ],
];

describe('an endpoint slice', () => {
  for (const [what, content, findings] of cases)
    it(`with ${what}: ${findings.join() || 'valid'}`, () =>
      assert.deepEqual(create('endpointslices', content).findings, findings));

  it('cannot change its address type', () => {
    const old = create('endpointslices', slice({})).object;
    assert.deepEqual(update('endpointslices', { addressType: 'IPv6' }, { old }).findings, [
      'Invalid addressType',
    ]);
  });

  it('has conditions, names and protocols by default', () => {
    const { object } = create('endpointslices', endpoint({}));
    assert.deepEqual(object['endpoints'], [{ addresses: ['10.0.0.1'], conditions: {} }]);
    assert.deepEqual(create('endpointslices', slice({ ports: [{ port: 1 }] })).object['ports'], [
      { name: '', port: 1, protocol: 'TCP' },
    ]);
  });

  it('drops the deprecated topology, unless it is unchanged', () => {
    const topology = { deprecatedTopology: { a: 'b' } };
    const { object } = create('endpointslices', endpoint(topology));
    assert.deepEqual(object['endpoints'], [{ addresses: ['10.0.0.1'], conditions: {} }]);
    const old = structuredClone(object);
    (old['endpoints'] as Record<string, unknown>[])[0]!['deprecatedTopology'] = { a: 'b' };
    const same = update('endpointslices', endpoint(topology), { old }).object;
    assert.deepEqual(same['endpoints'], old['endpoints']);
    const changed = update('endpointslices', endpoint({ ...topology, zone: 'z' }), { old }).object;
    assert.deepEqual(changed['endpoints'], [{ addresses: ['10.0.0.1'], conditions: {}, zone: 'z' }]);
  });

  it('has a new generation when its content or labels change', () => {
    const old = create('endpointslices', slice({})).object;
    assert.equal(old.metadata.generation, 1);
    for (const [content, generation] of [
      [slice({}), 1],
      [slice({ metadata: { annotations: { a: 'b' } } }), 1],
      [slice({ metadata: { labels: { a: 'b' } } }), 2],
      [endpoint({}), 2],
      [{ ...endpoint({}), metadata: { labels: { a: 'b' } } }, 2],
    ] as const)
      assert.equal(update('endpointslices', content, { old }).object.metadata.generation, generation);
  });
});
