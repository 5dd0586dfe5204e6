import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccessCheck } from '@binnacle/gateway';
import { createMetrics } from '@binnacle/telemetry';
import { medianOf, printFigures } from '../encoding/figures.ts';
import { openRequest } from './measured-request.ts';
import { measuredPolicies } from './policies.ts';

const runs = 7;
const checksOfRun = 5_000;
/** Microseconds of processor time for a request. */
const target = 60;

// The cost of authentication with a token that was decided on before, and of authorization by roles.
const directory = await mkdtemp(join(tmpdir(), 'binnacle-bench-'));
try {
  await using held = await openRequest(directory);
  const figures = [];
  for (const { name, policy } of measuredPolicies()) {
    const check = createAccessCheck({
      policy,
      tokenReview: held.tokenReview,
      metrics: createMetrics({ process: false }),
      clock: Date.now,
    })(held.request, held.response);
    await measure(check);
    const costs: number[] = [];
    for (let run = 0; run < runs; run++) costs.push(await measure(check));
    figures.push({
      what: name,
      unit: 'µs',
      target,
      median: medianOf(costs),
      worst: Math.max(...costs),
      better: 'lower',
    } as const);
  }
  process.exitCode = printFigures(figures) ? 0 : 1;
} finally {
  await rm(directory, { recursive: true });
}

async function measure(check: () => Promise<void>): Promise<number> {
  const start = process.cpuUsage();
  for (let count = 0; count < checksOfRun; count++) await check();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / checksOfRun;
}
