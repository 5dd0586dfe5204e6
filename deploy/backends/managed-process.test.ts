import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createDataDirectory } from './data-directory.ts';
import { startManagedProcess } from './managed-process.ts';
import { pollUntil } from './poll-until.ts';

const data = createDataDirectory('managed-process', undefined);
test.after(() => data.remove());
const logFile = join(data.path, 'process.log');

test('the error of a failed start has the last lines that the process wrote', async () => {
  const start = startManagedProcess({
    name: 'failing',
    command: process.execPath,
    arguments: ['-e', 'console.log("no anchor"); process.exit(7)'],
    logFile,
    ready: signal => pollUntil('nothing', () => false, { signal }),
  });
  await assert.rejects(start, /failing did not start: ended with code 7[\s\S]*no anchor/);
});

test('a process that does not start in time is killed', async () => {
  const start = startManagedProcess({
    name: 'slow',
    command: process.execPath,
    arguments: ['-e', 'setInterval(() => {}, 1000)'],
    logFile,
    ready: signal => pollUntil('nothing', () => false, { signal }),
    readyTimeoutMs: 100,
  });
  await assert.rejects(start, /slow did not start/);
});

test('a command that does not exist is an error', async () => {
  const start = startManagedProcess({
    name: 'absent',
    command: '/nowhere/absent',
    arguments: [],
    logFile,
    ready: signal => pollUntil('nothing', () => false, { signal }),
  });
  await assert.rejects(start, /absent did not start/);
});

test('a process that ignores the stop signal is killed after the stop timeout', async () => {
  const stubbornLog = join(data.path, 'stubborn.log');
  const stubborn = await startManagedProcess({
    name: 'stubborn',
    command: process.execPath,
    arguments: ['-e', 'process.on("SIGTERM", () => {}); console.log("up"); setInterval(() => {}, 1000)'],
    logFile: stubbornLog,
    stopTimeoutMs: 200,
    ready: signal =>
      pollUntil('the handler', () => readFileSync(stubbornLog, 'utf8').includes('up'), { signal }),
  });
  await stubborn.stop();
  assert.equal(stubborn.running, false);
});

test('an unexpected exit is reported, and the process can be started again', async () => {
  const ended = Promise.withResolvers<string>();
  await using process1 = await startManagedProcess({
    name: 'fragile',
    command: process.execPath,
    arguments: ['-e', 'console.log("its last words"); setInterval(() => {}, 1000)'],
    logFile,
    onUnexpectedExit: ended.resolve,
  });
  assert.equal(process1.ending, undefined);
  await pollUntil('it to speak', () => readFileSync(logFile, 'utf8').includes('its last words'));
  process.kill(process1.pid!, 'SIGKILL');
  assert.equal(await ended.promise, 'fragile ended with SIGKILL');
  assert.equal(process1.running, false);
  assert.match(process1.ending ?? '', /^ended with SIGKILL\n(.+\n)* {2}its last words$/);
  await process1.restart();
  assert.ok(process1.running);
  assert.equal(process1.ending, undefined);
});

test('the process ends with its parent, even when the parent is killed', async () => {
  const program = `
    import { startManagedProcess } from ${JSON.stringify(join(import.meta.dirname, 'managed-process.ts'))};
    const child = await startManagedProcess({
      name: 'child', command: 'sleep', arguments: ['300'], logFile: ${JSON.stringify(logFile)} });
    console.log(child.pid);
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const childPid = Number(line.toString());
  parent.kill('SIGKILL');
  await pollUntil('the child to die', () => {
    try {
      process.kill(childPid, 0);
      return false;
    } catch {
      return true;
    }
  });
});
