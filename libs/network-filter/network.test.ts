import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressBytes } from './address-bytes.ts';
import { networkHolds, parseNetworks } from './network.ts';

const held: readonly (readonly [network: string, inside: readonly string[], outside: readonly string[]])[] = [
  ['10.0.0.0/8', ['10.0.0.0', '10.255.255.255'], ['11.0.0.0', '9.255.255.255', '::ffff:10.0.0.1']],
  ['10.0.0.4/30', ['10.0.0.4', '10.0.0.7'], ['10.0.0.3', '10.0.0.8']],
  ['10.0.0.4/32', ['10.0.0.4'], ['10.0.0.5']],
  ['0.0.0.0/0', ['0.0.0.0', '255.255.255.255'], ['::']],
  [
    'fd00:0:0:8000::/49',
    ['fd00:0:0:8000::', 'fd00::ffff:0:0:0:0'],
    ['fd00::7fff:0:0:0:0', 'fd01::8000:0:0:0:0'],
  ],
  ['::/0', ['::', 'ffff::1'], ['1.2.3.4']],
  ['::1/128', ['::1'], ['::2']],
];
for (const [text, inside, outside] of held)
  test(`${text} contains exactly its addresses`, () => {
    const [network] = parseNetworks([text]);
    assert.ok(network);
    const holds = (address: string) => networkHolds(network, addressBytes(address) ?? new Uint8Array(0));
    assert.deepEqual(
      inside.map(holds),
      inside.map(() => true),
    );
    assert.deepEqual(
      outside.map(holds),
      outside.map(() => false),
    );
  });

const invalid = [
  '',
  '10.0.0.0',
  '10.0.0.0/',
  '/8',
  '10.0.0.0/8/8',
  '10.0.0.0/33',
  '10.0.0.0/08',
  '10.0.0.0/-1',
  '10.0.0.0/8.5',
  '10.0.0.1/8',
  '010.0.0.0/8',
  '10.0.0/8',
  'fd00::/129',
  'fd00::1/8',
  'fe80::%eth0/10',
  'localhost/8',
  ' 10.0.0.0/8',
];
for (const text of invalid)
  test(`${JSON.stringify(text)} is refused as a network, by its name`, () => {
    assert.throws(
      () => parseNetworks(['10.0.0.0/8', text]),
      (error: unknown) => error instanceof Error && error.message.startsWith(`invalid network "${text}": `),
    );
  });
