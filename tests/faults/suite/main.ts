import { randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findFreePort, installBackends } from '@binnacle/backends';
import { describeVerdict, historyLines } from '@binnacle/binnaclectl';
import { startDistributed } from '@binnacle/compose';
import { createTemporaryDirectory } from '../../journeys/setup/temporary-directory.ts';
import { runSuite } from './run-suite.ts';
import { writeReport } from './write-report.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string', default: '10' },
    output: { type: 'string', default: 'tests/faults/reports' },
  },
});
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
const minutes = Number(values.minutes);
if (!Number.isInteger(seed) || !(minutes > 0)) {
  console.error('--seed must be a whole number and --minutes a number above 0');
  process.exit(2);
}
const repeatCommand = `make faults SEED=${seed} MINUTES=${minutes}`;
await installBackends(['etcd', 'redis', 'kafka'], line => console.log(line));
const directory = await createTemporaryDirectory();
const form = await startDistributed({
  dataDirectory: join(directory.path, 'data'),
  port: await findFreePort(),
  onUnexpectedExit: description => console.error(description),
});
const result = await runSuite({ form, seed, durationMs: minutes * 60_000, log: line => console.log(line) });
await form.stop();
mkdirSync(values.output, { recursive: true });
const file = (suffix: string) => join(values.output, `seed-${seed}.${suffix}`);
writeFileSync(file('jsonl'), `${[...historyLines(result.records)].join('\n')}\n`);
writeFileSync(file('html'), writeReport(result, repeatCommand));
await directory[Symbol.asyncDispose]();
const { verdict, failures } = result;
console.log(describeVerdict(verdict, 5));
for (const failure of failures) console.error(failure);
console.log(`report: ${file('html')}\nhistory: ${file('jsonl')}`);
if (verdict.violations.length > 0 || failures.length > 0) {
  console.log(`repeat with: ${repeatCommand}`);
  process.exitCode = 1;
}
