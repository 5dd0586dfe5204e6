import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type ManagedProcess, pollUntil, startManagedProcess } from '@binnacle/backends';
import { combineInjections, createInjection } from './injection.ts';
import { freeze, freezeInRhythm, kill } from './processes.ts';
import { createSmallDisk, smallDisksMissing } from './small-disk.ts';
import { SteppedClocks, steppedClocksMissing } from './stepped-clocks.ts';

const directory = mkdtempSync(join(tmpdir(), 'binnacle-injections-'));
after(() => rmSync(directory, { recursive: true, force: true }));

/** A process that counts: its file grows while it runs. */
async function startCounter(name: string): Promise<{ counter: ManagedProcess; count: () => number }> {
  const file = join(directory, name);
  writeFileSync(file, '');
  const counter = await startManagedProcess({
    name,
    command: 'sh',
    arguments: ['-c', 'while :; do printf x >> "$0"; sleep 0.01; done', file],
    logFile: `${file}.log`,
  });
  return { counter, count: () => readFileSync(file).length };
}

async function counts(count: () => number): Promise<void> {
  const before = count();
  await pollUntil('the process to count', () => count() > before, { intervalMs: 5 });
}

const readState = ({ pid }: ManagedProcess) =>
  /^State:\s+(\S)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];

test('a frozen process stops, and continues when it is released', async () => {
  const { counter, count } = await startCounter('frozen');
  await using _ = counter;
  await counts(count);
  const { pid } = counter;
  const frozen = await freeze(counter);
  assert.equal(readState(counter), 'T');
  await frozen.end();
  await frozen.end();
  await counts(count);
  assert.equal(counter.pid, pid);
});

test('the end of a freeze does not affect a process that was killed and started again', async () => {
  const { counter, count } = await startCounter('killed-frozen');
  await using _ = counter;
  const frozen = await freeze(counter);
  const killed = await kill(counter);
  assert.equal(counter.running, false);
  await combineInjections([frozen, killed]).end();
  await counts(count);
});

test('a process can be frozen periodically, and runs after the end', async () => {
  const { counter, count } = await startCounter('rhythm');
  await using _ = counter;
  const rhythm = freezeInRhythm(counter, { frozenMs: 30, runningMs: 30 });
  for (let pass = 0; pass < 3; pass++) {
    await pollUntil('a pause', () => readState(counter) === 'T', { intervalMs: 2 });
    await pollUntil('a move', () => readState(counter) !== 'T', { intervalMs: 2 });
  }
  await rhythm.end();
  assert.notEqual(readState(counter), 'T');
  await counts(count);
});

test('combined faults are ended in reverse order', async () => {
  const ended: string[] = [];
  const all = combineInjections(['a', 'b'].map(what => createInjection(what, () => void ended.push(what))));
  assert.equal(all.what, 'a, b');
  await all.end();
  await all.end();
  assert.deepEqual(ended, ['b', 'a']);
});

const missing = smallDisksMissing();

test('a small disk is full only while it is filled', { skip: missing ?? false }, async () => {
  await using disk = createSmallDisk(join(directory, 'disk'), 1_048_576);
  const write = () => writeFileSync(join(disk.path, 'file'), Buffer.alloc(100_000));
  write();
  const full = disk.fill();
  assert.throws(() => writeFileSync(join(disk.path, 'more'), Buffer.alloc(100_000)), { code: 'ENOSPC' });
  await full.end();
  write();
});

test('the clock of one process is stepped, but not the monotonic clock or those of other processes', {
  skip: steppedClocksMissing() ?? false,
}, async () => {
  const clocks = new SteppedClocks(join(directory, 'clocks'));
  const script = `setInterval(() =>
    require('node:fs').writeFileSync(process.argv[1], [Date.now(), performance.now()].join()), 10)`;
  const file = join(directory, 'clock');
  writeFileSync(file, '');
  await using managed = await startManagedProcess({
    name: 'clock',
    command: process.execPath,
    arguments: ['-e', script, file],
    environment: clocks.createEnvironment('clock'),
    logFile: `${file}.log`,
  });
  const readClock = () => readFileSync(file, 'utf8').split(',').map(Number);
  const aheadMs = () => (readClock()[0] ?? 0) - Date.now();
  const isNear = (wanted: number) => () => Math.abs(aheadMs() - wanted) < 60_000;
  await pollUntil('the time of the machine', isNear(0));
  for (const step of [3_600_000, -3_600_000]) {
    const stepped = clocks.step('clock', step);
    await pollUntil(`a clock that is ${step} ms ahead`, isNear(step));
    const [, monotonic = 0] = readClock();
    assert.ok(monotonic > 0 && monotonic < 3_000_000, 'the monotonic clock goes on');
    await managed.restart();
    await pollUntil(`the same after a restart`, isNear(step));
    await stepped.end();
    await pollUntil('the time of the machine again', isNear(0));
  }
});
