import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { listen } from './listen.ts';

const settings = { host: '--bind-address (BINNACLE_BIND_ADDRESS)', port: '--port (BINNACLE_PORT)' };

test('a server listens at a free port, or at the given one', async () => {
  const server = createServer();
  const port = await listen(server, { host: '127.0.0.1', port: 0, settings });
  server.close();
  await once(server, 'close');
  assert.equal(await listen(server, { host: '127.0.0.1', port, settings }), port);
  server.close();
});

test('a port in use is refused with the flag that selects another one', async () => {
  const holder = createServer();
  const port = await listen(holder, { host: '127.0.0.1', port: 0, settings });
  await assert.rejects(listen(createServer(), { host: '127.0.0.1', port, settings }), {
    name: 'Refusal',
    message: `port ${port} of 127.0.0.1 is in use by another process: end it, or set --port (BINNACLE_PORT) to another port`,
  });
  holder.close();
});

test('an address of another machine is refused with the flag that set it', async () => {
  for (const host of ['192.0.2.1', 'no-such-name.invalid'])
    await assert.rejects(listen(createServer(), { host, port: 0, settings }), {
      name: 'Refusal',
      message: `${host} is not an address of this machine: set --bind-address (BINNACLE_BIND_ADDRESS) to one of its addresses`,
    });
});
