import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { after, before, suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from 'node:tls';
import { type ApiServer, startApiServer } from './api-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const large = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'large' },
  data: { text: 'x'.repeat(1_000_000) },
};

suite('large answers', () => {
  let server: ApiServer;
  before(async () => {
    server = await startApiServer({ authorizationMode: ['AlwaysAllow'] });
    assert.equal((await server.call('POST', configMaps, { body: large })).code, 201);
  });
  after(() => server[Symbol.asyncDispose]());

  // A client that has read an answer may be faster with its next request than the server learns that the answer is gone.
  test('do not affect the parsing of a large request that arrives meanwhile', async () => {
    const body = JSON.stringify(large);
    const head = (method: string, ...more: readonly string[]) =>
      [
        `${method} ${configMaps}/large HTTP/1.1`,
        'Host: localhost',
        'Authorization: Bearer alicetoken',
        ...more,
        '',
        '',
      ].join('\r\n');
    const { hostname, port } = new URL(server.url);
    const ca = await readFile(server.pki.caFile);
    const socket = connect({ host: hostname, port: Number(port), ca });
    let text = '';
    socket.on('data', part => {
      text += part;
    });
    socket.write(head('GET').repeat(5));
    await once(socket, 'data');
    // The answers fill what the system keeps, and wait.
    socket.pause();
    await delay(200);
    socket.write(
      head('PUT', 'Content-Type: application/json', `Content-Length: ${body.length}`, 'Connection: close') +
        body,
    );
    await delay(200);
    socket.resume();
    await once(socket, 'close');
    assert.deepEqual(
      text.match(/HTTP\/1\.1 \d+/g),
      Array.from({ length: 6 }, () => 'HTTP/1.1 200'),
    );
  });
});
