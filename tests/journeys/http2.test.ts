import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { suite, test } from 'node:test';
import { promisify } from 'node:util';
import { type ApiServer, type Document, startApiServer, until } from './api-server.ts';

const runFile = promisify(execFile);
const configMaps = '/api/v1/namespaces/t/configmaps';
const admin = { authorization: 'Bearer admintoken' };

/** A connection of HTTP/2 with the windows that Go's client opens, so that the server alone bounds what waits. */
async function open(
  server: ApiServer,
  tls: { cert?: Buffer; key?: Buffer } = {},
): Promise<ClientHttp2Session> {
  const session = connect(server.url, { ca: await readFile(server.pki.caFile), ...tls });
  session.on('error', () => {});
  await once(session, 'connect');
  session.setLocalWindowSize(2 ** 30);
  return session;
}

interface Heard {
  readonly stream: ClientHttp2Stream;
  /** From its first byte: Node throws away what is not listened for by the time that it comes. */
  readonly body: PassThrough;
  readonly headers: IncomingHttpHeaders;
}

async function get(
  session: ClientHttp2Session,
  path: string,
  more: IncomingHttpHeaders = admin,
): Promise<Heard> {
  const stream = session.request({ ':path': path, ...more });
  const body = new PassThrough();
  stream.on('error', () => {}).pipe(body);
  const [headers] = await once(stream, 'response');
  return { stream, body, headers };
}

async function text({ body }: Heard): Promise<string> {
  let all = '';
  body.setEncoding('utf8');
  for await (const part of body) all += part;
  return all;
}

/** The events of a watch as they come. */
function follow({ body }: Heard): Document[] {
  const events: Document[] = [];
  let rest = '';
  body.setEncoding('utf8');
  body.on('data', (part: string) => {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    events.push(...lines.map(line => JSON.parse(line) as Document)); // Written by the server.
  });
  return events;
}

const nameIs = (name: string) => (event: Document) => event.object.metadata.name === name;

suite('over HTTP/2', () => {
  test('two hundred watches on one connection get every event', async () => {
    // Without controllers that can be chosen there is one other watch, of definitions.
    await using server = await startApiServer({ controllers: new Set() });
    await server.namespace('t');
    const metrics = async () => (await server.call('GET', '/metrics')).text;
    await until('the other watch', async () => /^binnacle_http2_open_streams 1$/m.test(await metrics()));
    const session = await open(server);
    const watches = await Promise.all(
      Array.from({ length: 200 }, () => get(session, `${configMaps}?watch=1`)),
    );
    const heard = watches.map(follow);
    for (const name of ['a', 'b', 'c'])
      await server.call('POST', configMaps, { body: { metadata: { name } } });
    await until('every watch hears of every object', () =>
      heard.every(events => ['a', 'b', 'c'].every(name => events.some(nameIs(name)))),
    );
    const list = JSON.parse(await text(await get(session, configMaps))) as Document; // Written by the server.
    assert.equal(list.kind, 'ConfigMapList');
    const established = /^binnacle_connections_established_total\{server="api",protocol="h2"\} 2$/m;
    assert.match(await metrics(), established);
    await until('only the watches are open', async () =>
      /^binnacle_http2_open_streams 201$/m.test(await metrics()),
    );
    watches[0]?.stream.close(constants.NGHTTP2_CANCEL);
    await until('the watch that was cancelled is over', async () =>
      /^binnacle_http2_open_streams 200$/m.test(await metrics()),
    );
    session.destroy();
  });

  test('a watch that is not read is cut off, without effect on others of the connection', async () => {
    await using server = await startApiServer({ watchBufferBytes: 128 * 1024 });
    await server.namespace('t');
    const session = await open(server);
    const lazy = await get(session, `${configMaps}?watch=1`);
    const keen = follow(await get(session, `${configMaps}?watch=1`));
    const value = 'x'.repeat(100_000);
    let written = 0;
    await until('the lazy one is cut off', async () => {
      await server.call('POST', configMaps, {
        body: { metadata: { name: `m${written++}` }, data: { value } },
      });
      return lazy.stream.closed;
    });
    assert.equal(lazy.stream.rstCode, constants.NGHTTP2_INTERNAL_ERROR);
    await until(
      'the keen one heard all',
      () => keen.filter(event => event.type === 'ADDED').length >= written,
    );
    session.destroy();
  });

  test('a client is authenticated by its certificate, and bodies are limited', async () => {
    await using server = await startApiServer();
    const directory = server.pki.clientDirectory('admin');
    const [cert, key] = await Promise.all(
      ['tls.crt', 'tls.key'].map(file => readFile(join(directory, file))),
    );
    const session = await open(server, { ...(cert && { cert }), ...(key && { key }) });
    const secrets = await get(session, '/api/v1/secrets', {});
    assert.equal(secrets.headers[':status'], 200);
    secrets.body.resume();
    const large = session.request({
      ':method': 'POST',
      ':path': configMaps,
      'content-type': 'application/json',
    });
    large.on('error', () => {});
    large.end(Buffer.alloc(4 * 1024 * 1024, ' '));
    const [refused] = await once(large, 'response');
    assert.equal(refused[':status'], 413);
    session.destroy();
    const stranger = await open(server);
    assert.equal((await get(stranger, '/api/v1/secrets', {})).headers[':status'], 403);
    stranger.destroy();
  });

  test('a graceful stop sends GOAWAY, and ends watches with a bookmark', async () => {
    await using server = await startApiServer();
    await server.namespace('t');
    const session = await open(server);
    const watch = await get(session, `${configMaps}?watch=1&allowWatchBookmarks=true`);
    const events = follow(watch);
    const ended = once(watch.stream, 'end');
    await server.call('POST', configMaps, { body: { metadata: { name: 'a' } } });
    await until('the object is heard', () => events.some(nameIs('a')));
    const goaway = once(session, 'goaway');
    await server.stop();
    // The last stream that is served: the client sends later requests elsewhere.
    assert.deepEqual((await goaway).slice(0, 2), [constants.NGHTTP2_NO_ERROR, watch.stream.id]);
    await ended;
    assert.deepEqual([events.at(-1)?.type, watch.stream.rstCode], ['BOOKMARK', constants.NGHTTP2_NO_ERROR]);
  });

  test('curl uses HTTP/2', async t => {
    const version = await runFile('curl', ['--version']).catch(() => ({ stdout: '' }));
    if (!/\bHTTP2\b/.test(version.stdout)) return t.skip('curl with HTTP/2 is not installed');
    await using server = await startApiServer();
    const format = ['--write-out', '%{http_version} %{http_code}', '--output', '/dev/null', '--silent'];
    const trust = ['--cacert', server.pki.caFile, '--header', 'Authorization: Bearer admintoken'];
    const { stdout } = await runFile('curl', [...format, ...trust, `${server.url}/api/v1/namespaces`]);
    assert.equal(stdout, '2 200');
    const older = await runFile('curl', [
      '--http1.1',
      ...format,
      ...trust,
      `${server.url}/api/v1/namespaces`,
    ]);
    assert.equal(older.stdout, '1.1 200');
  });

  test('a Table that is read slowly is not overwritten by the next one', async () => {
    await using server = await startApiServer();
    await server.namespace('t');
    await server.namespace('other');
    for (const name of ['a', 'b', 'c'])
      await server.call('POST', configMaps, { body: { metadata: { name } } });
    await server.call('POST', '/api/v1/namespaces/other/configmaps', {
      body: { metadata: { name: 'of-another-user' } },
    });
    const table = { ...admin, accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };
    // A window of one byte: all but the first byte of an answer waits for its client.
    const slow = connect(server.url, {
      ca: await readFile(server.pki.caFile),
      settings: { initialWindowSize: 1 },
    });
    slow.on('error', () => {});
    await once(slow, 'remoteSettings');
    const late = slow.request({ ':path': configMaps, ...table });
    await once(late, 'response');
    const session = await open(server);
    for (let i = 0; i < 16; i++) await text(await get(session, '/api/v1/namespaces/other/configmaps', table));
    slow.settings({ initialWindowSize: 65_535 });
    let received = '';
    for await (const part of late.setEncoding('utf8')) received += part;
    const { rows } = JSON.parse(received) as { rows: { object: Document }[] };
    assert.deepEqual(
      rows.map(row => row.object.metadata.name),
      ['a', 'b', 'c'],
    );
    session.close();
    slow.close();
  });
});
