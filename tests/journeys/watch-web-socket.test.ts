import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { protocols, understood } from '@binnacle/api-names';
import { type ApiServer, type Document, startApiServer, until } from './api-server.ts';
import { openWebSocket, type WebSocketClient } from './web-socket-client.ts';

let server: ApiServer;
let maps: string;
let version: string;

before(async () => {
  server = await startApiServer();
  await server.namespace('t');
  maps = '/api/v1/namespaces/t/configmaps';
  version = (await server.call('GET', maps)).json.metadata.resourceVersion;
  for (const [method, path, data] of [
    ['POST', maps, { k: '1' }],
    ['PUT', `${maps}/a`, { k: '2' }],
  ] as const) {
    const { code } = await server.call(method, path, { body: { metadata: { name: 'a' }, data } });
    assert.ok(code < 300);
  }
});
after(() => server?.[Symbol.asyncDispose]());

const summary = (event: Document) => [event.type, event.object.metadata.name, event.object.data?.['k']];
const past = [
  ['ADDED', 'a', '1'],
  ['MODIFIED', 'a', '2'],
];
const heard = (client: WebSocketClient, events: number) =>
  until(`${events} events`, () => client.frames.length >= events);
const base64url = (text: string) => Buffer.from(text).toString('base64url');
const masked = (opcode: number, payload: Buffer) => {
  const mask = Buffer.from([1, 2, 3, 4]);
  const bytes = payload.map((byte, i) => byte ^ (mask[i % 4] ?? 0));
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length]), mask, bytes]);
};

test('each event is one text message', async () => {
  const key = 'dGhlIHNhbXBsZSBub25jZQ==';
  using client = await openWebSocket(server, `${maps}?watch=1&resourceVersion=${version}`, {
    headers: { 'Sec-WebSocket-Key': key, Origin: 'https://elsewhere.example' },
  });
  assert.equal(client.code, 101);
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  assert.equal(client.headers['sec-websocket-accept'], accept);
  assert.equal(client.headers['sec-websocket-protocol'], undefined);
  await heard(client, 2);
  assert.deepEqual(client.events().map(summary), past);
  const large = 'x'.repeat(70_000);
  await server.call('POST', maps, { body: { metadata: { name: 'large' }, data: { k: large } } });
  await server.call('DELETE', `${maps}/large`);
  await heard(client, 4);
  assert.deepEqual(client.events().slice(2).map(summary), [
    ['ADDED', 'large', large],
    ['DELETED', 'large', large],
  ]);
});

test('a watch ends at its timeout with a bookmark and a close frame', async () => {
  const query = `watch=1&resourceVersion=${version}&timeoutSeconds=1&allowWatchBookmarks=true`;
  using client = await openWebSocket(server, `${maps}?${query}&fieldSelector=metadata.name%3Da`);
  await client.closed;
  assert.equal(client.closeCode(), 1000);
  assert.deepEqual(client.events().slice(0, 2).map(summary), past);
  assert.equal(client.events().at(-1)?.type, 'BOOKMARK');
});

test('the older path, tables and protobuf are supported', async () => {
  const legacy = `/api/v1/watch/namespaces/t/configmaps/a?resourceVersion=${version}`;
  using named = await openWebSocket(server, legacy);
  await heard(named, 2);
  assert.deepEqual(named.events().map(summary), past);
  using table = await openWebSocket(server, legacy, {
    headers: { Accept: 'application/json;as=Table;v=v1;g=meta.cluster.io' },
  });
  await heard(table, 2);
  const [first, second] = table.events();
  assert.equal(first?.object.columnDefinitions[0]?.name, 'Name');
  assert.equal(second?.object.columnDefinitions, null);
  using protobuf = await openWebSocket(server, legacy, {
    headers: { Accept: 'application/vnd.cluster.protobuf' },
  });
  await heard(protobuf, 2);
  assert.deepEqual(
    protobuf.frames.map(({ opcode }) => opcode),
    [2, 2],
  );
  assert.equal(protobuf.frames[0]?.payload[0], 0x0a);
  assert.ok(protobuf.frames[0]?.payload.includes('k8s\0'));
});

test('a compacted resourceVersion is an ERROR event and a close frame', async () => {
  await using small = await startApiServer({ historyWindow: 1_000 });
  await small.namespace('t');
  await until('the version is out of the window', async () => {
    await small.call('POST', maps, { body: { metadata: { generateName: 'x-' } } });
    using client = await openWebSocket(small, `${maps}?watch=1&resourceVersion=1&timeoutSeconds=1`);
    await client.closed;
    assert.equal(client.closeCode(), 1000);
    const [event, ...more] = client.events();
    if (event?.type !== 'ERROR') return false;
    assert.deepEqual([event.object.reason, event.object.code, more], ['Expired', 410, []]);
    return true;
  });
});

test('a watch needs the same permission as other requests', async () => {
  const path = `${maps}?watch=1&resourceVersion=${version}`;
  const refused: [string, Parameters<typeof openWebSocket>[2], number, string][] = [
    ['no rights', { token: 'bobtoken' }, 403, 'Forbidden'],
    ['an unknown token', { token: 'nonsense' }, 401, 'Unauthorized'],
    ['no credentials', { token: null }, 403, 'Forbidden'],
    [
      'impersonation without the right to it',
      { token: 'bobtoken', headers: { 'Impersonate-User': 'admin' } },
      403,
      'Forbidden',
    ],
    ['a user without rights, impersonated', { headers: { 'Impersonate-User': 'bob' } }, 403, 'Forbidden'],
  ];
  for (const [name, call, code, reason] of refused) {
    using client = await openWebSocket(server, path, call);
    assert.deepEqual([client.code, client.refusal?.reason], [code, reason], name);
  }
});

test('a bearer token may be among the subprotocols, and is not sent back', async () => {
  const path = `${maps}?watch=1&resourceVersion=${version}`;
  const cases: [string, number][] = [
    [`base64url.bearer.authorization.cluster.io.${base64url('admintoken')}, base64.cluster.io`, 101],
    [`v1.watch, base64url.bearer.authorization.k8s.io.${base64url('admintoken')}`, 101],
    [`base64url.bearer.authorization.k8s.io.${base64url('bobtoken')}, x`, 403],
    [`base64url.bearer.authorization.k8s.io.${base64url('nonsense')}, x`, 401],
    [`base64url.bearer.authorization.k8s.io.${base64url('admintoken')}`, 401],
    ['base64url.bearer.authorization.k8s.io.%%%, x', 401],
    [`base64url.bearer.authorization.k8s.io.${Buffer.from([0xff, 0xfe]).toString('base64url')}, x`, 401],
    [
      [protocols.tokenProtocol, understood.protocols.tokenProtocol.at(-1)]
        .map(beginning => `${beginning}${base64url('admintoken')}`)
        .join(', '),
      401,
    ],
  ];
  for (const [offered, code] of cases) {
    const headers = { 'Sec-WebSocket-Protocol': offered };
    using client = await openWebSocket(server, path, { token: null, headers });
    assert.equal(client.code, code, offered);
    if (code !== 101) continue;
    const others = offered.split(', ').filter(protocol => !protocol.includes('bearer'));
    assert.equal(client.headers['sec-websocket-protocol'], others[0]);
  }
  const plain = { 'Sec-WebSocket-Protocol': cases[0]?.[0] ?? '' };
  assert.equal((await server.call('GET', maps, { token: null, headers: plain })).code, 403);
});

test('an invalid upgrade is refused, and requests other than watches are answered normally', async () => {
  const path = `${maps}?watch=1&resourceVersion=${version}`;
  using old = await openWebSocket(server, path, { headers: { 'Sec-WebSocket-Version': '8' } });
  assert.deepEqual([old.code, old.headers['sec-websocket-version']], [400, '13']);
  using keyless = await openWebSocket(server, path, { headers: { 'Sec-WebSocket-Key': 'short' } });
  assert.deepEqual([keyless.code, keyless.refusal?.reason], [400, 'BadRequest']);
  using selector = await openWebSocket(server, `${path}&fieldSelector=foo%3Dbar`);
  assert.equal(selector.code, 400);
  using list = await openWebSocket(server, maps);
  assert.deepEqual([list.code, list.refusal?.kind], [200, 'ConfigMapList']);
  assert.equal(list.headers.connection, 'close');
  using none = await openWebSocket(server, '/api/v1/namespaces/t/foos?watch=1');
  assert.equal(none.code, 404);
  const other = { Connection: 'Upgrade', Upgrade: 'h2c' };
  const plain = await server.call('GET', `${path}&timeoutSeconds=1`, { headers: other });
  assert.deepEqual([plain.code, plain.headers['content-type']], [200, 'application/json']);
  const created = await server.call('POST', maps, { headers: other, body: { metadata: { name: 'h2c' } } });
  assert.equal(created.code, 201);
});

test('pings and close frames are answered', async () => {
  using client = await openWebSocket(server, `${maps}?watch=1`);
  client.send(masked(1, Buffer.from('no reply to this')));
  client.send(masked(9, Buffer.from('are you there')));
  await until('the pong', () => client.frames.some(frame => frame.opcode === 10));
  assert.equal(client.frames.find(frame => frame.opcode === 10)?.payload.toString(), 'are you there');
  client.send(masked(8, Buffer.from([0x0b, 0xb9])));
  await client.closed;
  assert.equal(client.closeCode(), 3001);
  await until('the watch is over', async () => {
    const { text } = await server.call('GET', '/metrics');
    return /^apiserver_longrunning_requests\{.*resource="configmaps".*\} 0$/m.test(text);
  });
});

test('a client that violates the protocol is closed with the reason', async () => {
  const sent: [string, Buffer, number][] = [
    ['a large message', Buffer.concat([Buffer.from([0x82, 0xfe, 0xff, 0xff]), Buffer.alloc(70_000)]), 1009],
    ['a frame without a mask', Buffer.from([0x81, 0x01, 0x61]), 1002],
    ['an unknown frame', masked(3, Buffer.alloc(0)), 1002],
  ];
  for (const [name, bytes, code] of sent) {
    using client = await openWebSocket(server, `${maps}?watch=1&resourceVersion=${version}`);
    client.send(bytes);
    await client.closed;
    assert.equal(client.closeCode(), code, name);
  }
});

test('a graceful stop ends watches with a bookmark and the close code of a stopping server', async () => {
  await using own = await startApiServer();
  await own.namespace('t');
  using client = await openWebSocket(own, `${maps}?watch=1&allowWatchBookmarks=true`);
  await own.call('POST', maps, { body: { metadata: { name: 'a' } } });
  await until('the object is heard', () => client.events().some(e => e.object.metadata.name === 'a'));
  await own.stop();
  await client.closed;
  assert.equal(client.events().at(-1)?.type, 'BOOKMARK');
  assert.equal(client.closeCode(), 1001);
});

test('a client that does not read is cut off', async () => {
  await using own = await startApiServer({ watchBufferBytes: 128 * 1024 });
  await own.namespace('t');
  using client = await openWebSocket(own, `${maps}?watch=1`);
  const metrics = async () => (await own.call('GET', '/metrics')).text;
  let written = 0;
  const write = (value: string) =>
    own.call('POST', maps, { body: { metadata: { name: `m${written++}` }, data: { value } } });
  await until('the client follows', async () => {
    await write('small');
    return /^apiserver_watch_events_total\{.*kind="ConfigMap".*\} [1-9]/m.test(await metrics());
  });
  client.pause();
  const value = 'x'.repeat(200_000);
  // The system's buffers between the two hold an unknown amount: megabytes.
  let isCut = false;
  for (let writes = 0; !isCut && writes < 400; writes++) {
    await write(value);
    if (writes % 8 === 7)
      isCut = /^apiserver_terminated_watchers_total\{resource="configmaps"\} 1$/m.test(await metrics());
  }
  assert.ok(isCut);
  client.resume();
  await client.closed;
  assert.equal(client.closeCode(), undefined);
});

const browserScript = `
const [, url, token] = process.argv;
const protocol = 'base64url.bearer.authorization.k8s.io.' + Buffer.from(token).toString('base64url');
const socket = new WebSocket(url, [protocol, 'watch.example']);
const events = [];
socket.onmessage = ({ data }) => {
  const { type, object } = JSON.parse(data);
  if (type !== 'BOOKMARK') events.push([type, object.metadata.name, object.data.k]);
};
socket.onclose = ({ code, wasClean }) =>
  console.log(JSON.stringify({ protocol: socket.protocol, events, code, wasClean }));
`;

test('a WebSocket of browsers works', async () => {
  const query = `watch=1&resourceVersion=${version}&timeoutSeconds=1&fieldSelector=metadata.name%3Da`;
  const url = `${server.url.replace('https:', 'wss:')}${maps}?${query}`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', browserScript, url, 'admintoken'],
    { env: { ...process.env, NODE_EXTRA_CA_CERTS: server.pki.caFile } },
  );
  assert.deepEqual(JSON.parse(stdout), {
    protocol: 'watch.example',
    events: past,
    code: 1000,
    wasClean: true,
  });
});
