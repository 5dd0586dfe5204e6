import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDescriptorLimit } from '@binnacle/connections';
import { settingsFrom } from '@binnacle/flags';
import { createLogger } from '@binnacle/telemetry';
import { connectionFlags } from '../settings/connection-flags.ts';
import { fitDescriptors } from './fit-descriptors.ts';

test('a connection limit above the descriptors of the process is lowered with one log line', () => {
  const lines: { message: string; wantedConnections: number; maxConnections: number }[] = [];
  const logger = createLogger({ sink: line => lines.push(JSON.parse(line)) });
  const few = settingsFrom(connectionFlags, { maxConnections: 1 });
  assert.deepEqual(fitDescriptors(few, logger), few);
  assert.equal(lines.length, 0);
  if (readDescriptorLimit() === undefined) return;
  const wanted = Number.MAX_SAFE_INTEGER;
  const { maxConnections } = fitDescriptors({ ...few, maxConnections: wanted }, logger);
  assert.ok(maxConnections < wanted);
  assert.deepEqual(
    lines.map(line => [line.wantedConnections, line.maxConnections]),
    [[wanted, maxConnections]],
  );
});
