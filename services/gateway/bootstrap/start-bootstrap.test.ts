import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTypeRegistry } from '@binnacle/api-types';
import { silentLogger } from '@binnacle/service-kit';
import { StorageError } from '@binnacle/storage-contract';
import { startBootstrap } from './start-bootstrap.ts';

test('while the store is away the bootstrap rests longer and longer, and says so once', async t => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const attempts: number[] = [];
  const lines: string[] = [];
  let now = 0;
  const away = async (): Promise<never> => {
    attempts.push(now);
    throw new StorageError('unavailable', 'away');
  };
  using _bootstrap = startBootstrap({
    registry: createTypeRegistry(),
    storage: { get: away, transact: away, list: away, typeRevision: away },
    logger: { ...silentLogger, warn: (message: string) => void lines.push(message) },
    clock: () => now,
  } as unknown as Parameters<typeof startBootstrap>[0]); // No more is used of what fails at once.
  for (; now < 120_000; now += 100) {
    await new Promise(resolve => setImmediate(resolve));
    t.mock.timers.tick(100);
  }
  const times = [...new Set(attempts)];
  assert.ok(times.length <= 5 + 120_000 / 4_000, `${times.length} attempts`);
  assert.ok(times.length >= 120_000 / 8_000, `${times.length} attempts`);
  assert.equal(lines.length, 1);
});
