import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsFrom } from '@binnacle/flags';
import { settingFlags } from '../settings/gateway-flags.ts';
import type { GatewaySettings } from '../settings/gateway-settings.ts';
import { advertisedAddress } from './advertised-address.ts';

const interfaces = {
  lo: [{ address: '127.0.0.1' }, { address: '::1' }],
  eth0: [
    { address: '169.254.3.4' },
    { address: 'fe80::1' },
    { address: '192.0.2.2' },
    { address: 'fd00::2' },
  ],
  eth1: [{ address: '192.0.2.3' }],
};
const ipv6 = { serviceClusterIpRange: ['fd00:1::/112'] };

const cases: [settings: Partial<GatewaySettings>, address: string | undefined][] = [
  [{}, undefined],
  [{ bindAddress: '192.0.2.9' }, '192.0.2.9'],
  [{ bindAddress: 'localhost' }, undefined],
  [{ bindAddress: 'fd00::9' }, undefined],
  [{ bindAddress: 'fd00::9', ...ipv6 }, 'fd00::9'],
  [{ bindAddress: '0.0.0.0' }, '192.0.2.2'],
  [{ bindAddress: '::' }, '192.0.2.2'],
  [{ bindAddress: '0.0.0.0', ...ipv6 }, 'fd00::2'],
  [{ advertiseAddress: '198.51.100.7' }, '198.51.100.7'],
  [{ advertiseAddress: '198.051.100.7' }, '198.51.100.7'],
  [{ advertiseAddress: 'FD00:0::7', ...ipv6 }, 'fd00::7'],
  [{ advertiseAddress: '0.0.0.0' }, '192.0.2.2'],
  [{ advertiseAddress: '198.51.100.7', endpointReconcilerType: 'none' }, undefined],
];

for (const [settings, address] of cases)
  test(`${JSON.stringify(settings)}: ${address ?? 'none'}`, () => {
    assert.equal(
      advertisedAddress(settingsFrom(settingFlags, settings), { servesTls: true, interfaces }),
      address,
    );
  });

test('a server without an interface to the outside has no address', () => {
  const settings = settingsFrom(settingFlags, { bindAddress: '0.0.0.0' });
  assert.equal(
    advertisedAddress(settings, { servesTls: true, interfaces: { lo: interfaces.lo } }),
    undefined,
  );
});

test('a server without TLS has only the configured address', () => {
  const without = { servesTls: false, interfaces };
  const open = settingsFrom(settingFlags, { bindAddress: '0.0.0.0' });
  assert.equal(advertisedAddress(open, without), undefined);
  assert.equal(advertisedAddress({ ...open, advertiseAddress: '192.0.2.7' }, without), '192.0.2.7');
});

const refused: [advertiseAddress: string, message: RegExp][] = [
  ['gateway.example.com', /^--advertise-address: .*"gateway\.example\.com"/],
  ['127.0.0.1', /^--advertise-address: may not be in the loopback range .*"127\.0\.0\.1"/],
  ['::1', /^--advertise-address: may not be the loopback address/],
  ['169.254.1.1', /^--advertise-address: may not be in the link-local range/],
  ['fd00::7', /^--advertise-address: must be of the family of --service-cluster-ip-range, IPv4/],
];

for (const [advertiseAddress, message] of refused)
  test(`${advertiseAddress} is refused by name`, () => {
    const settings = settingsFrom(settingFlags, { advertiseAddress });
    assert.throws(() => advertisedAddress(settings, { servesTls: true, interfaces }), { message });
  });
