import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { freezeProcess } from './freeze-process.ts';

const write = `setInterval(() => require('node:fs').writeSync(1, '.'), 1);`;
const counter = `
const { Worker } = require('node:worker_threads');
for (let i = 0; i < 3; i++) new Worker(${JSON.stringify(write)}, { eval: true });
${write}`;

test('every thread of a frozen process stops, and continues when the process is released', async () => {
  const child = spawn(process.execPath, ['-e', counter], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  let written = 0;
  child.stdout.on('data', ({ length }: Buffer) => {
    written += length;
  });
  try {
    await once(child.stdout, 'data');
    await freezeProcess(child.pid);
    // Output that the pipe already holds is read first.
    await new Promise(resolve => setTimeout(resolve, 50));
    const before = written;
    await new Promise(resolve => setTimeout(resolve, 100));
    assert.equal(written, before);
    child.kill('SIGCONT');
    await once(child.stdout, 'data');
  } finally {
    child.kill('SIGKILL');
  }
  await ended;
  await assert.rejects(freezeProcess(child.pid), { code: 'ESRCH' });
  await assert.rejects(freezeProcess(undefined), /does not run/);
});
