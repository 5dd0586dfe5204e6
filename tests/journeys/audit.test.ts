import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { request as httpsRequest } from 'node:https';
import { after, before, test } from 'node:test';
import { serviceUsers } from '@binnacle/api-names';
import { at } from './admin-server.ts';
import { type AuditEvent, type AuditedServer, startAuditedServer } from './audit-log.ts';

const rules = `
- {level: None, users: ["${serviceUsers.controllerManager}"]}
- {level: None, nonResourceURLs: ["/livez*"]}
- {level: Metadata, resources: [{resources: [secrets]}, {group: coordination.k8s.io}]}
- {level: Request, resources: [{group: apps}], omitStages: [RequestReceived]}
- {level: RequestResponse, resources: [{resources: [configmaps, serviceaccounts/token]}, {group: authentication.k8s.io}], omitManagedFields: true}
- {level: Metadata}
`;
const maps = '/api/v1/namespaces/z/configmaps';
const secrets = '/api/v1/namespaces/z/secrets';
const microseconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

let audit: AuditedServer;
before(async () => {
  audit = await startAuditedServer(rules);
});
after(() => audit?.[Symbol.asyncDispose]());

const named = (name: string, more: object = {}) => ({ metadata: { name }, ...more });
const readCode = (event: Partial<AuditEvent> = {}) => at(event.responseStatus, 'code');

test('a request has events when it is received and when it is complete', async () => {
  const { answer, event } = await audit.audited('POST', maps, {
    body: named('a', { data: { k: 'v' } }),
    headers: { 'User-Agent': 'x'.repeat(2000), 'X-Forwarded-For': '192.0.2.7' },
  });
  const [received, complete, ...more] = await audit.waitForEvents(event.auditID, 2);
  assert.deepEqual(more, []);
  assert.deepEqual(complete, event);
  assert.deepEqual([received?.stage, received?.responseStatus], ['RequestReceived', undefined]);
  assert.match(event.requestReceivedTimestamp, microseconds);
  assert.match(event.stageTimestamp, microseconds);
  const { requestReceivedTimestamp: _at, stageTimestamp: _then, responseObject, ...rest } = event;
  assert.deepEqual(rest, {
    kind: 'Event',
    apiVersion: 'audit.cluster.io/v1',
    level: 'RequestResponse',
    auditID: answer.headers['audit-id'],
    stage: 'ResponseComplete',
    requestURI: maps,
    verb: 'create',
    user: { username: 'admin', uid: 'u-admin', groups: ['system:masters', 'system:authenticated'] },
    sourceIPs: ['192.0.2.7', '127.0.0.1'],
    userAgent: `${'x'.repeat(1024)}...TRUNCATED`,
    objectRef: { resource: 'configmaps', namespace: 'z', name: 'a', apiVersion: 'v1' },
    responseStatus: { metadata: {}, code: 201 },
    requestObject: { metadata: { name: 'a' }, data: { k: 'v' } },
    annotations: {
      'authorization.cluster.io/decision': 'allow',
      'authorization.cluster.io/reason': event.annotations?.['authorization.cluster.io/reason'] ?? '',
    },
  });
  assert.deepEqual(at(responseObject, 'data'), { k: 'v' });
  assert.equal(at(responseObject, 'metadata', 'managedFields'), undefined);
  assert.match(answer.text, /"managedFields"/);
});

test('the log file is readable by its owner only', async () => {
  assert.equal((await stat(audit.logFile)).mode & 0o777, 0o600);
});

test('each level has its bodies and no others', async () => {
  const none = await audit.server.call('GET', '/livez');
  const deployments = '/apis/apps/v1/namespaces/z/deployments';
  const { event: refused } = await audit.audited('POST', deployments, { body: named('d') });
  assert.deepEqual(
    [refused.level, refused.requestObject, refused.responseObject],
    ['Request', named('d'), undefined],
  );
  assert.equal((await audit.waitForEvents(refused.auditID)).length, 1);
  const { event: metadata } = await audit.audited('GET', '/api/v1/nodes');
  assert.deepEqual([metadata.level, metadata.responseObject], ['Metadata', undefined]);
  const { event: path } = await audit.audited('GET', '/version?x=1');
  assert.deepEqual([path.verb, path.requestURI, path.objectRef], ['get', '/version?x=1', undefined]);
  const events = await audit.events();
  assert.ok(!events.some(({ auditID }) => auditID === none.headers['audit-id']));
  assert.ok(!events.some(({ user }) => user['username'] === serviceUsers.controllerManager));
});

test('an update has the object as sent, and lists and tables as returned', async () => {
  const created = JSON.parse((await audit.server.call('POST', maps, { body: named('u') })).text);
  const { event: updated } = await audit.audited('PUT', `${maps}/u?dryRun=All`, { body: created });
  const { uid, resourceVersion } = created.metadata;
  const place = { resource: 'configmaps', namespace: 'z', name: 'u', apiVersion: 'v1' };
  assert.deepEqual(updated.objectRef, { ...place, uid, resourceVersion });
  assert.match(updated.requestURI, /dryRun=All/);
  const list = await audit.audited('GET', `${maps}?pretty=true`);
  assert.equal(at(list.event.responseObject, 'kind'), 'ConfigMapList');
  const yaml = await audit.audited('GET', `${maps}/u`, { headers: { Accept: 'application/yaml' } });
  assert.deepEqual(at(yaml.event.responseObject, 'metadata', 'name'), 'u');
  const Accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const table = await audit.audited('GET', maps, { headers: { Accept } });
  assert.equal(at(table.event.responseObject, 'kind'), 'Table');
  assert.equal(at(table.event.responseObject, 'rows', 0, 'object', 'metadata', 'managedFields'), undefined);
});

test('an object with a generated name is recorded by that name', async () => {
  const { answer, event } = await audit.audited('POST', secrets, {
    body: { metadata: { generateName: 'g-' } },
  });
  assert.equal(event.objectRef?.['name'], answer.json.metadata.name);
});

test('patches, applied configurations and deletions have their bodies', async () => {
  const ways = [
    ['application/merge-patch+json', '{"data":{\n"m":"1"}}', { data: { m: '1' } }],
    [
      'application/json-patch+json',
      '[{"op":"add","path":"/data","value":{}}]',
      [{ op: 'add', path: '/data', value: {} }],
    ],
    [
      'application/apply-patch+yaml',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: p}\n',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'p' } },
    ],
  ] as const;
  await audit.server.call('POST', maps, { body: named('p') });
  for (const [type, body, sent] of ways) {
    const { answer, event } = await audit.audited('PATCH', `${maps}/p?fieldManager=m&force=true`, {
      body,
      headers: { 'Content-Type': type },
    });
    assert.deepEqual([event.verb, readCode(event), event.requestObject], ['patch', answer.code, sent]);
  }
  const options = { propagationPolicy: 'Background' };
  const { event: deleted } = await audit.audited('DELETE', `${maps}/p`, {
    body: options,
    headers: { 'Content-Length': String(JSON.stringify(options).length) },
  });
  assert.deepEqual([deleted.verb, deleted.requestObject], ['delete', options]);
  const { event: all } = await audit.audited('DELETE', `${maps}?labelSelector=none`);
  assert.deepEqual([all.verb, all.objectRef?.['name']], ['deletecollection', undefined]);
  assert.equal(at(all.responseObject, 'kind'), 'ConfigMapList');
});

test('a body that is not JSON or too long is not logged', async () => {
  const { answer, event } = await audit.audited('POST', maps, { body: '{"a":1}}\n{"kind":"Event"}' });
  assert.deepEqual([answer.code, event.requestObject], [400, undefined]);
  const long = { a: 'x'.repeat(900_000) };
  const { event: cut } = await audit.audited('POST', maps, { body: named('long', { data: long }) });
  assert.deepEqual([cut.requestObject && 'sent', cut.responseObject], ['sent', undefined]);
  assert.equal(cut.annotations?.['audit.cluster.io/truncated'], 'true');
});

test('a request that fails authentication is recorded without user and credentials', async () => {
  const cases = [
    [{ token: 'wr0ng' }, 'Authentication failed, attempted: bearer'],
    [{ token: null, headers: { Authorization: 'Basic' } }, 'Authentication failed, no credentials provided'],
  ] as const;
  for (const [call, message] of cases) {
    const { answer, event } = await audit.audited('GET', `${secrets}/s?id_token=s3cret`, call);
    assert.equal(answer.code, 401);
    assert.deepEqual(event.user, {});
    assert.equal(event.stage, 'ResponseStarted');
    assert.deepEqual(event.responseStatus, {
      metadata: {},
      status: 'Failure',
      message,
      reason: 'Unauthorized',
      code: 401,
    });
    assert.equal(event.requestURI, `${secrets}/s`);
  }
});

/** Sends a request with headers as they are, in the order of Node's raw headers. */
async function sendRaw(path: string, headers: readonly string[]): Promise<string> {
  const { server } = audit;
  const ca = await readFile(server.pki.caFile);
  const sent = httpsRequest(server.url + path, { ca, agent: false, headers });
  sent.end();
  const [response] = await once(sent, 'response');
  response.resume();
  return String(response.headers['audit-id']);
}

test('a request with two Authorization headers is recorded', async () => {
  const header = ['Authorization', 'Bearer admintoken'];
  const id = await sendRaw('/api/v1/nodes', ['Host', 'localhost', ...header, ...header]);
  const [event] = await audit.waitForEvents(id);
  assert.deepEqual([event?.user, readCode(event)], [{}, 401]);
});

test('a request with spoofed proxy headers is recorded as anonymous', async () => {
  const spoofed = { 'X-Remote-User': 'admin', 'X-Remote-Group': 'system:masters' };
  const { answer, event } = await audit.audited('GET', '/api/v1/nodes', { token: null, headers: spoofed });
  assert.equal(answer.code, 403);
  assert.equal(event.user['username'], 'system:anonymous');
  assert.equal(event.annotations?.['authorization.cluster.io/decision'], 'forbid');
});

test('impersonation is recorded with both users, and a refused one with the authenticated user', async () => {
  const headers = { 'Impersonate-User': 'bob' };
  const { event: acted } = await audit.audited('GET', maps, { headers });
  assert.deepEqual(
    [acted.user['username'], acted.impersonatedUser?.['username'], readCode(acted)],
    ['admin', 'bob', 403],
  );
  const [received] = await audit.waitForEvents(acted.auditID);
  assert.equal(received?.impersonatedUser, undefined);
  const { event: refused } = await audit.audited('GET', maps, { token: 'bobtoken', headers });
  assert.deepEqual(
    [refused.user['username'], refused.impersonatedUser, readCode(refused)],
    ['bob', undefined, 403],
  );
});

test('a refused request has the decision and its Status with details', async () => {
  const { event } = await audit.audited('GET', `${secrets}/x`, { token: 'bobtoken' });
  assert.equal(event.annotations?.['authorization.cluster.io/decision'], 'forbid');
  assert.match(String(at(event.responseStatus, 'message')), /User "bob" cannot get resource "secrets"/);
  assert.deepEqual(at(event.responseStatus, 'details'), { name: 'x', kind: 'secrets' });
});

test('no data of secrets and no tokens are in the log', async () => {
  const data = { password: Buffer.from('s3cret').toString('base64') };
  const { event } = await audit.audited('POST', secrets, { body: named('s', { data }) });
  assert.deepEqual(
    [event.level, event.requestObject, event.responseObject],
    ['Metadata', undefined, undefined],
  );
  await audit.audited('GET', secrets);
  const accounts = '/api/v1/namespaces/z/serviceaccounts';
  await audit.server.call('POST', accounts, { body: named('robot') });
  const issued = await audit.audited('POST', `${accounts}/robot/token`, { body: { spec: {} } });
  assert.equal(issued.answer.code, 201);
  const token = String(at(JSON.parse(issued.answer.text), 'status', 'token'));
  assert.equal(at(issued.event.responseObject, 'status', 'token'), '[omitted]');
  const review = await audit.audited('POST', '/apis/authentication.cluster.io/v1/tokenreviews', {
    body: { spec: { token } },
  });
  assert.equal(review.answer.code, 201);
  assert.equal(at(review.event.requestObject, 'spec', 'token'), '[omitted]');
  const log = await readFile(audit.logFile, 'utf8');
  for (const secret of ['s3cret', data.password, token, 'admintoken', 'wr0ng'])
    assert.ok(!log.includes(secret), secret);
});

test('a request for a deprecated API is annotated', async () => {
  const { event } = await audit.audited('GET', '/apis/flowcontrol.apiserver.cluster.io/v1beta2/flowschemas');
  assert.equal(event.annotations?.['cluster.io/deprecated'], 'true');
});

test('events and levels are counted', async () => {
  const { text } = await audit.server.call('GET', '/metrics');
  assert.match(text, /^apiserver_audit_event_total [1-9]/m);
  assert.match(text, /^apiserver_audit_error_total\{plugin="log"\} 0$/m);
  assert.match(text, /^apiserver_audit_requests_rejected_total 0$/m);
  for (const level of ['None', 'Metadata', 'Request', 'RequestResponse'])
    assert.match(text, new RegExp(`^apiserver_audit_level_total\\{level="${level}"\\} [1-9]`, 'm'));
});
