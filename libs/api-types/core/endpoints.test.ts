import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create } from '../test-drivers/process.ts';

const cases: readonly (readonly [what: string, subsets: unknown[], findings: readonly string[]])[] = [
  ['one address', [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }], []],
  ['no addresses', [{ ports: [{ port: 80 }] }], ['Required subsets[0]']],
  [
    'addresses of the local host, link, and none',
    [
      {
        addresses: [{ ip: '127.0.0.1' }, { ip: '169.254.1.1' }, { ip: '' }],
        notReadyAddresses: [{ ip: 'fe80::1' }],
      },
    ],
    [
      'Invalid subsets[0].addresses[0].ip',
      'Invalid subsets[0].addresses[1].ip',
      'Invalid subsets[0].addresses[2].ip',
      'Invalid subsets[0].addresses[2].ip',
      'Invalid subsets[0].notReadyAddresses[0].ip',
    ],
  ],
  [
    'ports without names, numbers and known protocols',
    [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 0 }, { name: 'A', port: 1, protocol: 'X' }] }],
    [
      'NotSupported subsets[0].ports[1].protocol',
      'Required subsets[0].ports[0].name',
      'Invalid subsets[0].ports[0].port',
      'Invalid subsets[0].ports[1].name',
    ],
  ],
  [
    'a bad host name',
    [{ addresses: [{ ip: '10.0.0.1', hostname: 'a.b' }] }],
    ['Invalid subsets[0].addresses[0].hostname'],
  ],
  [
    'a bad node name',
    [{ addresses: [{ ip: '10.0.0.1', nodeName: 'A' }] }],
    ['Invalid subsets[0].addresses[0].nodeName'],
  ],
  [
    'a bad protocol of the application',
    [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80, appProtocol: 'a b' }] }],
    ['Invalid subsets[0].ports[0].appProtocol'],
  ],
  [
    'an application of no protocol',
    [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80, appProtocol: '' }] }],
    Array(2).fill('Invalid subsets[0].ports[0].appProtocol'),
  ],
  [
    'ports of one name',
    [
      {
        addresses: [{ ip: '10.0.0.1' }],
        ports: [
          { name: 'a', port: 80 },
          { name: 'a', port: 81 },
        ],
      },
    ],
    [],
  ],
  [
    'an address that is ready and is not',
    [{ addresses: [{ ip: '10.0.0.1' }], notReadyAddresses: [{ ip: '10.0.0.2' }, { ip: '10.0.0.1' }] }],
    ['Duplicate subsets[0].notReadyAddresses[1].ip'],
  ],
  [
    'two objects at one address',
    [
      {
        addresses: [{ ip: '10.0.0.1', targetRef: { uid: 'a' } }],
        notReadyAddresses: [{ ip: '10.0.0.1', targetRef: { uid: 'b' } }],
      },
    ],
    [],
  ],
];

describe('endpoints', () => {
  for (const [what, subsets, findings] of cases)
    it(what, () => assert.deepEqual(create('endpoints', { subsets }).findings, findings));

  it('have the protocol TCP by default', () => {
    const { object } = create('endpoints', {
      subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }],
    });
    assert.deepEqual(object['subsets'], [
      { addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80, protocol: 'TCP' }] },
    ]);
  });
});
