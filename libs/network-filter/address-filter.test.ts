import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAddressFilter } from './address-filter.ts';
import { defaultDeniedNetworks } from './default-denied-networks.ts';
import { createKnownHosts } from './known-hosts.ts';
import { parseNetworks } from './network.ts';

const denied = parseNetworks([...defaultDeniedNetworks, '10.66.0.0/16', 'fd66::/16']);
const filter = createAddressFilter({ denied });

const allowed = [
  '10.1.2.3',
  '192.168.0.1',
  '172.16.0.1',
  '8.8.8.8',
  '100.100.100.199',
  '168.63.129.17',
  'fd00::1',
  'fd65::1',
  '2001:db8::1',
  '2a00::7f00:1',
  '::ffff:10.1.2.3',
  '::10.1.2.3',
  '2002:a01:203::1',
  'fd20:ce::255',
];
for (const address of allowed)
  test(`${address} is allowed`, () => assert.equal(filter.refusal(address), undefined));

/** The IPv6 forms of the addresses 169.254.169.254, 127.0.0.1 and 10.66.1.2. */
const forms = (dotted: string, hex: string, inverted: string) => [
  dotted,
  `::ffff:${dotted}`,
  `::ffff:${hex}`,
  `0:0:0:0:0:FFFF:${hex}`,
  `::ffff:0:${hex}`,
  `::${dotted}`,
  `::${hex}`,
  `64:ff9b::${hex}`,
  `64:ff9b::${dotted}`,
  `64:ff9b:1::${hex}`,
  `64:ff9b:1:1:2:3:${hex}`,
  `2002:${hex}::`,
  `2002:${hex}:1:2:3:4:5`,
  `2001:0:${hex}::`,
  `2001:0:808:808::${inverted}`,
  `fd00::5efe:${hex}`,
  `fd00::200:5efe:${dotted}`,
];
const refused: readonly (readonly [refusal: string, addresses: readonly string[]])[] = [
  ['is a link-local address', forms('169.254.169.254', 'a9fe:a9fe', '5601:5601').slice(0, 7)],
  ['is a link-local address', forms('169.254.169.254', 'a9fe:a9fe', '5601:5601').slice(11)],
  ['is a link-local address', ['fe80::1', 'febf::1', 'fe80::a9fe:a9fe']],
  ['is a loopback address', forms('127.0.0.1', '7f00:1', '80ff:fffe').slice(0, 7)],
  ['is a loopback address', forms('127.0.0.1', '7f00:1', '80ff:fffe').slice(11)],
  ['is a loopback address', ['127.9.9.9', '::1', '0:0:0:0:0:0:0:1']],
  ['is in a denied network', forms('10.66.1.2', 'a42:102', 'f5bd:fefd')],
  ['is in a denied network', ['fd66::1', 'fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254', 'fd00:42::42']],
  ['is in a denied network', ['fd00:c1::a9fe:a9fe', '100.100.100.200', '168.63.129.16', '192.0.0.192']],
  ['is in a denied network', ['64:ff9b::808:808', '64:ff9b:1:ffff::1']],
  ['is an unspecified address', ['0.0.0.0', '0.1.2.3', '::', '::ffff:0.0.0.0']],
  ['is a site-local address', ['fec0::1', 'feff::1']],
  ['is a multicast address', ['224.0.0.1', 'ff02::1', '::ffff:224.0.0.1']],
  ['is a reserved address', ['240.0.0.1', '255.255.255.255', '2002:ffff:ffff::']],
  ['is not an IP address', ['', 'localhost', 'metadata.internal', '2130706433', '0x7f.1', '0177.0.0.1']],
  ['is not an IP address', ['fe80::1%eth0', '::1%lo', '127.0.0.1/8', ' 127.0.0.1', '1.2.3', '1.2.3.4.5']],
];
for (const [refusal, addresses] of refused)
  for (const address of addresses)
    test(`${JSON.stringify(address)} ${refusal}`, () => assert.equal(filter.refusal(address), refusal));

test('loopback and link-local addresses can be allowed, in every notation, and no others', () => {
  const open = createAddressFilter({ denied, allowLoopback: true, allowLinkLocal: true });
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.1.1', 'fe80::1', '2002:7f00:1::'])
    assert.equal(open.refusal(address), undefined, address);
  for (const address of [
    '0.0.0.0',
    '::',
    '224.0.0.1',
    'fec0::1',
    '10.66.0.1',
    '64:ff9b::7f00:1',
    '255.255.255.255',
  ])
    assert.notEqual(open.refusal(address), undefined, address);
});

test('embedded addresses of NAT64 are checked for every prefix length, unless NAT64 is denied as a whole', () => {
  const open = createAddressFilter({ denied: parseNetworks(['10.66.0.0/16']) });
  for (const address of ['64:ff9b::808:808', '64:ff9b:1::808:808', '64:ff9b:1:808:8:800::'])
    assert.equal(open.refusal(address), undefined, address);
  for (const address of [
    '64:ff9b::a42:102',
    '64:ff9b:1::a42:102',
    '64:ff9b:1:a42:1:200::',
    '64:ff9b:1:a:42:102::',
    '64:ff9b:1::a:4201:200:0',
  ])
    assert.equal(open.refusal(address), 'is in a denied network', address);
});

test('the backends of this process are refused by address, and on loopback by port', async () => {
  const backends = createKnownHosts({
    hosts: ['storage:7001', '10.0.0.7:9092', '[fd00::7]:9092', '127.0.0.1:2379'],
    lookup: async () => ['10.0.0.8', '10.0.0.9'],
  });
  await backends.refresh();
  const guarded = createAddressFilter({ denied: [], allowLoopback: true, backends });
  const own = 'is an address of the control plane itself';
  for (const address of ['10.0.0.7', '10.0.0.8', '10.0.0.9', 'fd00::7', '::ffff:10.0.0.8', '2002:a00:7::'])
    assert.equal(guarded.refusal(address, 80), own, address);
  assert.equal(guarded.refusal('10.0.0.10', 9092), undefined);
  assert.equal(guarded.refusal('127.0.0.1', 2379), own);
  assert.equal(guarded.refusal('::ffff:127.0.0.1', 2379), own);
  assert.equal(guarded.refusal('127.0.0.1', 80), undefined);
});
