import { randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installBackends } from '@binnacle/backends';
import { describeVerdict, historyLines } from '@binnacle/binnaclectl/testing';
import { booleanFlag, integerFlag, parseProgramFlags, stringFlag } from '@binnacle/flags';
import { runOnForm } from './run-on-form.ts';
import { writeReport } from './write-report.ts';

const shownViolations = 5;
const flags = parseProgramFlags({
  seed: integerFlag({
    description: 'Number that decides the faults and what clients do; a new one when not given.',
  }),
  minutes: stringFlag({ description: 'Minutes for which clients and faults go on.', default: '10' }),
  ha: booleanFlag({
    description: 'Starts three members of etcd and three brokers of Kafka instead of one.',
    default: false,
  }),
  output: stringFlag({
    description: 'Folder for the report and the history.',
    default: 'tests/faults/reports',
  }),
});
const { seed = randomInt(2 ** 31), ha, output } = flags;
const minutes = Number(flags.minutes);
if (!(minutes > 0)) {
  console.error('--minutes must be a number above 0');
  process.exit(2);
}
const repeatCommand = `make faults SEED=${seed} MINUTES=${minutes}${ha ? ' ARGS=--ha' : ''}`;
// Mounts and processes end with this process, where it ends by itself.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
await installBackends(['etcd', 'redis', 'kafka'], line => console.log(line));
const result = await runOnForm({
  ha,
  seed,
  durationMs: minutes * 60_000,
  log: line => console.log(line),
});
mkdirSync(output, { recursive: true });
const file = (suffix: string) => join(output, `seed-${seed}.${suffix}`);
writeFileSync(file('jsonl'), `${[...historyLines(result.records)].join('\n')}\n`);
writeFileSync(file('html'), writeReport(result, repeatCommand));
const { verdict, failures } = result;
console.log(describeVerdict(verdict, shownViolations));
for (const failure of failures) console.error(failure);
console.log(`report: ${file('html')}\nhistory: ${file('jsonl')}`);
if (verdict.violations.length > 0 || failures.length > 0) {
  console.log(`repeat with: ${repeatCommand}`);
  process.exitCode = 1;
}
