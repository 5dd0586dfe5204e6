import assert from 'node:assert/strict';
import type { LookupAddress, lookup as systemLookup } from 'node:dns';
import { connect } from 'node:net';
import { test } from 'node:test';
import { createAddressFilter } from './address-filter.ts';
import { createFilteredLookup, refusedAddressCode } from './filtered-lookup.ts';

const filter = createAddressFilter({ denied: [] });

/** Creates a resolver that returns the same addresses for every name. */
function createResolver(addresses: readonly LookupAddress[]): typeof systemLookup {
  const lookup = (
    _name: string,
    _options: object,
    callback: (error: null, addresses: readonly LookupAddress[]) => void,
  ) => callback(null, addresses);
  return lookup as typeof systemLookup; // The only overload in use: all addresses.
}

function look(addresses: readonly LookupAddress[], all: boolean) {
  return new Promise<unknown>((resolve, reject) => {
    createFilteredLookup(filter, createResolver(addresses))('name', { all }, (error, address) =>
      error === null ? resolve(address) : reject(error),
    );
  });
}

const loopback = { address: '::ffff:127.0.0.1', family: 6 };
const metadata = { address: '169.254.169.254', family: 4 };
const good = { address: '10.0.0.1', family: 4 };

test('refused addresses are removed from the results', async () => {
  assert.deepEqual(await look([loopback, metadata, good], true), [good]);
  assert.equal(await look([loopback, good], false), '10.0.0.1');
});

test('a name with refused addresses only is an error with the reason', async () => {
  for (const all of [true, false])
    await assert.rejects(look([metadata, loopback], all), {
      code: refusedAddressCode,
      message: 'name has the address 169.254.169.254, which is a link-local address',
    });
});

for (const host of ['localhost', '2130706433', '0x7f000001', '0177.0.0.1', '127.1'])
  test(`a socket to ${host} does not connect`, async () => {
    const socket = connect({ host, port: 9, lookup: createFilteredLookup(filter) });
    const { promise, resolve } = Promise.withResolvers<NodeJS.ErrnoException>();
    socket.on('error', resolve);
    socket.on('connect', () => resolve(new Error('connected')));
    const { code } = await promise;
    socket.destroy();
    // Resolvers that do not support the old forms of IPv4 addresses report an unknown name.
    assert.ok(code === refusedAddressCode || code === 'ENOTFOUND', code);
  });
