import { randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installBackends } from '@binnacle/backends';
import { describeVerdict, historyLines } from '@binnacle/binnaclectl';
import { runOnForm } from './run-on-form.ts';
import { writeReport } from './write-report.ts';

const shownViolations = 5;
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string', default: '10' },
    ha: { type: 'boolean', default: false },
    output: { type: 'string', default: 'tests/faults/reports' },
  },
});
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
const minutes = Number(values.minutes);
if (!Number.isInteger(seed) || !(minutes > 0)) {
  console.error('--seed must be a whole number and --minutes a number above 0');
  process.exit(2);
}
const repeatCommand = `make faults SEED=${seed} MINUTES=${minutes}${values.ha ? ' ARGS=--ha' : ''}`;
await installBackends(['etcd', 'redis', 'kafka'], line => console.log(line));
const result = await runOnForm({
  ha: values.ha,
  seed,
  durationMs: minutes * 60_000,
  log: line => console.log(line),
});
mkdirSync(values.output, { recursive: true });
const file = (suffix: string) => join(values.output, `seed-${seed}.${suffix}`);
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
