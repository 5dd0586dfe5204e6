import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { at } from './admin-server.ts';
import { type AuditEvent, type AuditedServer, startAuditedServer } from './audit-log.ts';
import { createHttp2Requests } from './http2-requests.ts';
import { findPort } from './setup/find-port.ts';
import { openWebSocket } from './web-socket-client.ts';

const maps = '/api/v1/namespaces/z/configmaps';

let audit: AuditedServer;
before(async () => {
  audit = await startAuditedServer('- {level: RequestResponse}', { allowLoopbackProxy: true });
});
after(() => audit?.[Symbol.asyncDispose]());

const named = (name: string, more: object = {}) => ({ metadata: { name }, ...more });
const readCode = (event: Partial<AuditEvent> = {}) => at(event.responseStatus, 'code');

test('a watch has events when it begins and when it ends', async () => {
  const watch = await audit.server.watch(`${maps}?watch=true`);
  const id = String(watch.headers['audit-id']);
  const begun = await audit.waitForEvents(id, 2);
  assert.deepEqual(
    begun.map(({ stage, verb }) => [stage, verb]),
    [
      ['RequestReceived', 'watch'],
      ['ResponseStarted', 'watch'],
    ],
  );
  assert.equal(readCode(begun[1]), 200);
  watch[Symbol.dispose]();
  const [, , ended] = await audit.waitForEvents(id, 3);
  assert.deepEqual(
    [ended?.stage, readCode(ended), ended?.userAgent],
    ['ResponseComplete', 200, 'journey/1.0'],
  );
});

test('a watch over a WebSocket is recorded without the token among its protocols', async () => {
  const protocol = `base64url.bearer.authorization.k8s.io.${Buffer.from('admintoken').toString('base64url')}`;
  const socket = await openWebSocket(audit.server, `${maps}?watch=true`, {
    token: null,
    headers: { 'Sec-WebSocket-Protocol': `${protocol}, base64.binary.k8s.io` },
  });
  assert.equal(socket.code, 101);
  const id = String(socket.headers['audit-id']);
  const [, started] = await audit.waitForEvents(id, 2);
  assert.deepEqual([started?.stage, readCode(started)], ['ResponseStarted', 101]);
  socket[Symbol.dispose]();
  const [, , ended] = await audit.waitForEvents(id, 3);
  assert.deepEqual([ended?.stage, ended?.user['username']], ['ResponseComplete', 'admin']);
});

test('a watch over HTTP/2 is recorded when its stream ends and the connection goes on', async () => {
  const { server } = audit;
  using requests = createHttp2Requests(server.url, { ca: await readFile(server.pki.caFile) });
  const headers = { authorization: 'Bearer admintoken' };
  const sending = { method: 'GET', headers, body: undefined };
  const watch = await requests.send({ ...sending, path: `${maps}?watch=true` });
  const id = String(watch.headers['audit-id']);
  const begun = await audit.waitForEvents(id, 2);
  assert.deepEqual(begun.map(readCode), [undefined, 200]);
  watch.destroy();
  const [, , ended] = await audit.waitForEvents(id, 3);
  assert.deepEqual([ended?.stage, ended?.sourceIPs], ['ResponseComplete', ['127.0.0.1']]);
  assert.equal((await requests.send({ ...sending, path: '/version' })).statusCode, 200);
});

test('a proxied request is recorded without its bodies', async () => {
  await using backend = createServer((_, response) => void response.end('answer of the pod'));
  backend.listen(0, '127.0.0.1');
  await once(backend, 'listening');
  const containerPort = findPort(backend);
  const pods = '/api/v1/namespaces/z/pods';
  await audit.server.call('POST', '/api/v1/namespaces/z/serviceaccounts', { body: named('default') });
  const { json: pod } = await audit.server.call('POST', pods, {
    body: named('p', { spec: { containers: [{ name: 'c', image: 'i', ports: [{ containerPort }] }] } }),
  });
  const status = { podIP: '127.0.0.1', podIPs: [{ ip: '127.0.0.1' }] };
  await audit.server.call('PUT', `${pods}/p/status`, { body: { ...pod, status } });
  const { answer, event } = await audit.audited('POST', `${pods}/p/proxy/x?token=s3cret`, {
    body: { a: 's3cret' },
  });
  assert.equal(answer.text, 'answer of the pod');
  assert.equal(event.objectRef?.['subresource'], 'proxy');
  assert.deepEqual([event.verb, event.requestObject, event.responseObject], ['create', undefined, undefined]);
  const stages = (await audit.waitForEvents(event.auditID, 3)).map(({ stage }) => stage);
  assert.deepEqual(stages, ['RequestReceived', 'ResponseStarted', 'ResponseComplete']);
});
