import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { findFreePort, type ManagedProcess, pollUntil, startManagedProcess } from '@binnacle/backends';
import { restartByName, Supervisor } from './supervise.ts';

const directory = mkdtempSync(join(tmpdir(), 'binnacle-supervise-'));
after(() => rmSync(directory, { recursive: true, force: true }));

/** A supervised process that sleeps; `fails` makes its next starts fail, as long as the file is there. */
async function startSupervised(name: string) {
  const reports: string[] = [];
  const supervisor = new Supervisor({
    report: text => reports.push(text),
    firstPauseMs: 1,
    longestPauseMs: 4,
  });
  const obstacle = join(directory, `${name}.obstacle`);
  const managed: ManagedProcess = await startManagedProcess({
    name,
    command: 'sh',
    arguments: ['-c', 'if [ -e "$0" ]; then echo no; exit 3; fi; exec sleep 600', obstacle],
    logFile: join(directory, `${name}.log`),
    ready: signal => pollUntil('the program to run', () => isSleeping(name), { signal, intervalMs: 5 }),
    pidFile: join(directory, `${name}.pid`),
    onUnexpectedExit: () => supervisor.ended(managed),
  });
  return { supervisor, managed, reports, obstacle };
}

function isSleeping(name: string): boolean {
  const pid = readFileSync(join(directory, `${name}.pid`), 'utf8').trim();
  return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'sleep';
}

test('a killed process is started again, a stopped one is not', async () => {
  const { supervisor, managed, reports } = await startSupervised('killed');
  await using _ = managed;
  await using __ = supervisor;
  const first = managed.pid;
  assert.ok(first);
  process.kill(first, 'SIGKILL');
  await pollUntil('another life', () => reports.includes('killed runs again'), { intervalMs: 5 });
  assert.ok(managed.running);
  assert.notEqual(managed.pid, first);
  await supervisor[Symbol.asyncDispose]();
  await managed.stop();
  assert.equal(managed.running, false);
});

test('failed starts are retried after pauses that grow to a maximum', async () => {
  const { supervisor, managed, reports, obstacle } = await startSupervised('obstructed');
  await using _ = managed;
  await using __ = supervisor;
  writeFileSync(obstacle, '');
  process.kill(managed.pid ?? 0, 'SIGKILL');
  const pauses = () => reports.flatMap(text => /again in (\S+) s$/.exec(text)?.[1] ?? []);
  await pollUntil('several attempts', () => pauses().length >= 5, { intervalMs: 5 });
  assert.deepEqual(pauses().slice(0, 5), ['0.001', '0.002', '0.004', '0.004', '0.004']);
  assert.ok(reports.some(text => /obstructed did not start: ended with code 3/.test(text)));
  rmSync(obstacle);
  await pollUntil('another life', () => reports.includes('obstructed runs again'), { intervalMs: 5 });
  await supervisor[Symbol.asyncDispose]();
});

test('a restart by an operator fails with the reason when the process does not start', async () => {
  const { supervisor, managed, obstacle } = await startSupervised('operated');
  await using _ = managed;
  await using __ = supervisor;
  const first = managed.pid;
  await supervisor.restart(managed);
  assert.notEqual(managed.pid, first);
  writeFileSync(obstacle, '');
  await assert.rejects(supervisor.restart(managed), /operated did not start/);
  rmSync(obstacle);
  await pollUntil('it to be started all the same', () => managed.running, { intervalMs: 5 });
  await supervisor.restart(managed);
  assert.ok(managed.running);
  await supervisor[Symbol.asyncDispose]();
});

test('no process is started after the shutdown has begun', async () => {
  const { supervisor, managed, reports } = await startSupervised('ending');
  await using _ = managed;
  await using __ = supervisor;
  await supervisor[Symbol.asyncDispose]();
  process.kill(managed.pid ?? 0, 'SIGKILL');
  await pollUntil('the end', () => !managed.running, { intervalMs: 5 });
  assert.deepEqual(reports, []);
  await assert.rejects(supervisor.restart(managed));
});

/** A service that is ready at its third question. */
const program = `
  let questions = 0;
  require('node:http')
    .createServer((_, answer) => answer.writeHead(++questions < 3 ? 503 : 200).end(String(questions)))
    .listen(Number(process.argv[1]), '127.0.0.1');
`;

function startService(name: string, port: number): Promise<ManagedProcess> {
  return startManagedProcess({
    name,
    command: process.execPath,
    arguments: ['-e', program, String(port)],
    logFile: join(directory, `${name}.log`),
  });
}

test('a restart waits until the service is ready, and refuses unknown names', async () => {
  const port = await findFreePort();
  await using gateway = await startService('gateway-1', port);
  await using etcd = await startService('etcd-1', await findFreePort());
  await using supervisor = new Supervisor({ report: () => {} });
  const form = {
    processes: new Map([gateway, etcd].map(managed => [managed.name, managed])),
    operationsPort: () => port,
  };
  const pids = [gateway.pid, etcd.pid];
  assert.equal(await restartByName('gateway-1', form, supervisor), 'gateway-1 is ready');
  assert.notEqual(gateway.pid, pids[0]);
  // Not before it said so: two questions were answered with 503.
  assert.ok(Number(await (await fetch(`http://127.0.0.1:${port}`)).text()) > 3);
  assert.equal(await restartByName('etcd-1', form, supervisor), 'etcd-1 is ready');
  assert.notEqual(etcd.pid, pids[1]);
  await assert.rejects(
    restartByName('gateway-7', form, supervisor),
    /no process "gateway-7": there are etcd-1, gateway-1$/,
  );
});
