import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientAddress } from './client-address.ts';

const cases: [remote: string | undefined, counted: string][] = [
  ['10.0.0.7', '10.0.0.7'],
  ['::ffff:10.0.0.7', '10.0.0.7'],
  ['::FFFF:10.0.0.7', '10.0.0.7'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::5:6', '2001:db8:0:0::/64'],
  ['2001:db8:1::4:5:6:7', '2001:db8:1:0::/64'],
  ['2001::3:4:5:6:7:8', '2001:0:3:4::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::10.0.0.7', '64:ff9b:0:0::/64'],
  [undefined, ''],
];

test('connections are counted for IPv4 addresses and for IPv6 networks of 64 bits', () => {
  for (const [remote, counted] of cases) assert.equal(clientAddress(remote), counted, remote);
});
