import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { groups, namespaces } from '@binnacle/api-names';
import { encodeStored } from '@binnacle/codecs';
import { createLogger } from '@binnacle/telemetry';
import { openEmbeddedStorage } from './backends/embedded/embedded-storage.ts';
import { checkClock } from './check-clock.ts';
import { makeTestFolder, putValues } from './test-drivers/stored-samples.ts';

const renewed = Date.parse('2026-11-27T12:00:00Z');

function lease(name: string, renewTime = '') {
  const key = `/${groups.coordination}/leases/${namespaces.system}/${name}`;
  const apiVersion = `${groups.coordination}/v1`;
  return { [key]: encodeStored({ kind: 'Lease', apiVersion, metadata: { name }, spec: { renewTime } }) };
}

async function linesAt(now: number, leases: Readonly<Record<string, Uint8Array>>): Promise<string[]> {
  const directory = join(await makeTestFolder(), 'store');
  await using storage = await openEmbeddedStorage({ directory });
  await putValues(storage, leases);
  const lines: string[] = [];
  const log = createLogger({ format: 'json', sink: line => lines.push(line) });
  await checkClock(storage, { log, now: () => now, signal: new AbortController().signal });
  return lines;
}

test('a clock behind the newest lease is one line that names it', async () => {
  const leases = {
    ...lease('a', '2026-11-27T11:00:00.000000Z'),
    ...lease('b', '2026-11-27T12:00:00.000000Z'),
    ...lease('c'),
  };
  const [line = '', ...others] = await linesAt(renewed - 61_000, leases);
  assert.deepEqual(others, []);
  assert.match(line, /"level":"error"/);
  assert.match(line, /the clock of this machine is behind the last lease in the store: set the clock/);
  assert.match(line, /"clock":"2026-11-27T11:58:59.000Z","lease":"2026-11-27T12:00:00.000Z"/);
  assert.deepEqual(await linesAt(renewed - 59_000, leases), []);
  assert.deepEqual(await linesAt(renewed + 10 ** 9, leases), []);
});

test('a store without leases says nothing of the clock', async () => {
  assert.deepEqual(await linesAt(0, lease('c')), []);
  assert.deepEqual(await linesAt(0, {}), []);
});
