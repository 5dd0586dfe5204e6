import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { freezeProcess } from './freeze-process.ts';

const counter = `
const { Worker, isMainThread } = require('node:worker_threads');
if (isMainThread) for (let i = 0; i < 3; i++) new Worker(__filename);
setInterval(() => require('node:fs').writeSync(1, '.'), 1);`;

test('every thread of a frozen process stops, and continues when the process is released', async () => {
  const child = spawn(process.execPath, ['-e', counter], { stdio: ['ignore', 'pipe', 'inherit'] });
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
  await once(child, 'exit');
  await assert.rejects(freezeProcess(child.pid), { code: 'ESRCH' });
  await assert.rejects(freezeProcess(undefined), /does not run/);
});
