import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { kafkaSettings } from './kafka-settings.ts';

const listener = `const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 },
  () => console.log(server.address().port));`;

test('a connection that a frozen broker does not accept fails at its timeout', async () => {
  await using cleanUp = new AsyncDisposableStack();
  const broker = spawn(process.execPath, ['-e', listener], { stdio: ['ignore', 'pipe', 'inherit'] });
  cleanUp.defer(async () => {
    broker.kill('SIGKILL');
    if (broker.exitCode === null && broker.signalCode === null) await once(broker, 'exit');
  });
  const [line] = (await once(broker.stdout, 'data')) as [Buffer];
  const port = Number(line.toString());
  broker.kill('SIGSTOP');
  // Until it stands still it may accept connections.
  while (!/^State:\s+T/m.test(readFileSync(`/proc/${broker.pid}/status`, 'utf8'))) await sleep(5);
  for (let i = 0; i < 4; i++) {
    const waiting = connect({ host: '127.0.0.1', port }).on('error', () => {});
    cleanUp.defer(() => void waiting.destroy());
  }
  const { socketFactory } = kafkaSettings({ brokers: [`127.0.0.1:${port}`], clientId: 'test' });
  const socket = socketFactory({ host: '127.0.0.1', port, ssl: {}, onConnect: () => {} });
  const [error] = (await once(socket, 'error')) as [Error];
  assert.equal(error.message, `no TCP connection to 127.0.0.1:${port} within 1200 ms`);
});
