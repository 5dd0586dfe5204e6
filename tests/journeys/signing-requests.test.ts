import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findings } from './admin-server.ts';
import type { Answer, ApiServer } from './api-server.ts';
import { shareApiServer } from './shared-server.ts';

const path = '/apis/certificates.cluster.io/v1/certificatesigningrequests';
/** A request for CN=user, O=group, signed by a key of P-256. */
const pem = [
  '-----BEGIN CERTIFICATE REQUEST-----',
  'MIHbMIGBAgEAMB8xDjAMBgNVBAoMBWdyb3VwMQ0wCwYDVQQDDAR1c2VyMFkwEwYH',
  'KoZIzj0CAQYIKoZIzj0DAQcDQgAEd6KYE2Dy3+SrO0FYuOenmtoSfnqFpsba9qJ6',
  'EkAz3EkA2n7NlqCkFwKzfDEhUaibQoEqAtIlR6WP5TSr18Ae4aAAMAoGCCqGSM49',
  'BAMCA0kAMEYCIQC4flTkXIibGZpjSN3ZCCW5+6jFGgU+uLvMO6GSpew75QIhAN14',
  'veslMshUpilCmVlN1b+iFM82anWLBR/pPHyLrsEj',
  '-----END CERTIFICATE REQUEST-----',
  '',
].join('\n');
const spec = {
  request: Buffer.from(pem).toString('base64'),
  signerName: 'example.com/signer',
  usages: ['client auth'],
};

let server: ApiServer;
before(async () => {
  server = await shareApiServer();
});
after(() => server?.[Symbol.asyncDispose]());

const parseBody = (answer: Answer) => JSON.parse(answer.text);

async function expect(code: number, method: string, target: string, body?: unknown, type?: string) {
  const headers = type === undefined ? {} : { 'Content-Type': type };
  const answer = await server.call(method, target, { body, headers });
  assert.equal(answer.code, code, answer.text);
  return parseBody(answer);
}

test('a signing request has the user of its request, whatever it contains', async () => {
  const sent = { ...spec, username: 'root', groups: ['system:masters'], extra: { a: ['b'] } };
  const request = await expect(201, 'POST', path, { metadata: { name: 'claims' }, spec: sent });
  assert.deepEqual(request.spec, {
    ...spec,
    username: 'admin',
    uid: 'u-admin',
    groups: ['system:masters', 'system:authenticated'],
  });
});

test('approval is a separate subresource', async () => {
  const { metadata } = await expect(201, 'POST', path, { metadata: { name: 'steps' }, spec });
  const approved = { type: 'Approved', status: 'True', reason: 'Checked', message: 'fine' };
  const before = Date.now() - 1000;
  const through = (subresource: string, status: unknown) =>
    server.call('PUT', `${path}/steps${subresource}`, {
      body: { metadata: { name: 'steps' }, spec, status },
    });
  const ignored = await through('', { conditions: [approved] });
  assert.deepEqual(parseBody(ignored).status, {});
  const early = await through('/status', { conditions: [approved] });
  assert.deepEqual(findings(parseBody(early)), ['Invalid', 'FieldValueForbidden status.conditions']);
  const { status } = parseBody(await through('/approval', { conditions: [approved] }));
  const [condition] = status.conditions;
  assert.deepEqual(
    { ...condition, lastUpdateTime: '', lastTransitionTime: '' },
    {
      ...approved,
      lastUpdateTime: '',
      lastTransitionTime: '',
    },
  );
  assert.ok(Date.parse(condition.lastUpdateTime) >= before);
  assert.ok(Date.parse(condition.lastTransitionTime) >= before);
  const patch = { status: { conditions: [{ type: 'Denied', status: 'True' }] } };
  const type = 'application/strategic-merge-patch+json';
  const both = await expect(
    422,
    'PATCH',
    `${path}/steps/approval`,
    { status: { conditions: [condition, ...patch.status.conditions] } },
    'application/merge-patch+json',
  );
  assert.deepEqual(findings(both), ['Invalid', 'FieldValueInvalid status.conditions']);
  const denied = await expect(201, 'POST', path, { metadata: { name: 'denied' }, spec });
  assert.equal(denied.metadata.name, 'denied');
  const shown = await expect(200, 'PATCH', `${path}/denied/approval`, patch, type);
  assert.ok(shown.status.conditions[0].lastUpdateTime);
  const read = await expect(200, 'GET', `${path}/steps/approval`);
  assert.equal(read.metadata.uid, metadata.uid);
});

test('the spec cannot change', async () => {
  await expect(201, 'POST', path, { metadata: { name: 'fixed' }, spec });
  const other = { ...spec, signerName: 'example.com/other', username: 'root' };
  for (const subresource of ['', '/status', '/approval']) {
    const body = { metadata: { name: 'fixed' }, spec: other };
    const { spec: kept } = await expect(200, 'PUT', `${path}/fixed${subresource}`, body);
    assert.equal(kept.signerName, 'example.com/signer');
    assert.equal(kept.username, 'admin');
  }
});
