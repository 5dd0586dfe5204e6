import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsFrom } from '@binnacle/flags';
import { settingFlags } from '../settings/gateway-flags.ts';
import { createProxying } from './create-proxying.ts';

test('addresses of backends and services behind a gateway are refused at every port', async () => {
  const { filter, backends } = createProxying(settingsFrom(settingFlags), [
    '10.0.0.7:7001',
    '[fd00::7]:7002',
    'localhost:9092',
  ]);
  await backends.refresh();
  for (const [address, port] of [
    ['10.0.0.7', 7001],
    ['10.0.0.7', 80],
    ['::ffff:10.0.0.7', 80],
    ['fd00::7', 443],
  ] as const)
    assert.equal(filter.refusal(address, port), 'is an address of the control plane itself');
  assert.equal(filter.refusal('10.0.0.8', 7001), undefined);
});

test('if loopback is allowed, the ports of backends there are refused', async () => {
  const settings = settingsFrom(settingFlags, { allowLoopbackProxy: true });
  const { filter, backends } = createProxying(settings, ['localhost:9092']);
  await backends.refresh();
  assert.equal(filter.refusal('127.0.0.1', 9092), 'is an address of the control plane itself');
  assert.equal(filter.refusal('127.0.0.1', 80), undefined);
});

test('metadata services are refused by default, and an invalid network is an error', () => {
  const { filter } = createProxying(settingsFrom(settingFlags), []);
  for (const address of ['169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '64:ff9b::808:808'])
    assert.notEqual(filter.refusal(address), undefined, address);
  const settings = settingsFrom(settingFlags, { proxyDeniedNetworks: ['10.0.0.0/8', 'cloud'] });
  assert.throws(() => createProxying(settings, []), /invalid network "cloud"/);
});
