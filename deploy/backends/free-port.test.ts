import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { findFreePort, findFreePorts } from './free-port.ts';

test('each port is handed out once, with room for its neighbours', async () => {
  const ports = (await findFreePorts(200)).sort((a, b) => a - b);
  assert.ok(ports.every((port, i) => i === 0 || port - (ports[i - 1] ?? 0) >= 4));
});

test('a port that is handed out can be listened on', async () => {
  const server = createServer().listen(await findFreePort(), '127.0.0.1');
  await once(server, 'listening');
  server.close();
});

test('processes that ask at the same time get different ports', async () => {
  const program = `
    const { findFreePorts } = await import(${JSON.stringify(new URL('./free-port.ts', import.meta.url).href)});
    console.log((await findFreePorts(300)).join());
    process.stdin.resume();
  `;
  const children = [1, 2, 3].map(() => spawn(process.execPath, ['--input-type=module', '-e', program]));
  const found = await Promise.all(
    children.map(async ({ stdout }) => {
      let text = '';
      for await (const part of stdout) {
        text += part;
        if (text.endsWith('\n')) break;
      }
      return text.trim().split(',');
    }),
  );
  assert.equal(new Set(found.flat()).size, 900);
  for (const child of children) {
    child.stdin.end();
    if (child.exitCode === null) await once(child, 'exit');
  }
});
