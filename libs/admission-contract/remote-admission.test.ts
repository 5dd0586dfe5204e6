import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AdmissionService, type CallContext, deadlineIn, type ReviewRequest } from '@binnacle/proto';
import { forbidden, StatusError } from '@binnacle/status-errors';
import type { Admission, ReviewedWrite, WriteUnderReview } from './admission.ts';
import { remoteAdmission } from './remote-admission.ts';
import { servedAdmission } from './served-admission.ts';

const call: CallContext = { deadline: deadlineIn(60_000), signal: new AbortController().signal };

const write: WriteUnderReview = {
  operation: 'UPDATE',
  kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
  resource: { group: 'apps', version: 'v1', resource: 'deployments' },
  requestGroup: 'apps.alias',
  subresource: 'scale',
  namespace: 'a',
  name: 'web',
  user: { username: 'bob', uid: 'u', groups: ['devs'], extra: { team: { values: ['one', 'two'] } } },
  object: {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'web' },
    spec: { replicas: 9_007_199_254_740_993n },
  },
  oldObject: {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'web' },
    spec: { replicas: 1 },
  },
  options: '{"kind":"UpdateOptions"}',
  dryRun: true,
  isRetry: true,
  bytes: 100,
};

const answer: ReviewedWrite = {
  object: {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'web', labels: { changed: 'yes' } },
  },
  refusal: undefined,
  warnings: ['careful'],
  auditAnnotations: { why: 'because' },
  webhookSeconds: 0.5,
  preconditions: [{ key: '/core/namespaces/a', revision: 7 }],
  accessDemands: [
    {
      anyOf: [{ verb: 'delete', group: '', resource: 'pods', subresource: '', namespace: 'a', name: 'web' }],
      refusal: 'may not delete',
    },
  ],
  jointWrites: [{ key: '/core/resourcequotas/a/q', revision: 3, value: Buffer.from('{}'), onRemoval: false }],
};

/** An admission that answers so, what it was asked, and what went over the wire. */
function answering(answers: () => ReviewedWrite) {
  const asked: WriteUnderReview[] = [];
  const sent: ReviewRequest[] = [];
  const admission: Admission = {
    async review(asking) {
      asked.push(asking);
      return answers();
    },
  };
  const served = servedAdmission(admission);
  const service: AdmissionService = {
    async review(request, context) {
      sent.push(request);
      return await served.review(request, context);
    },
  };
  return { asked, sent, service, remote: remoteAdmission(service) };
}

test('a write reaches admission in another process as it is, and its answer comes back', async () => {
  const { asked, remote } = answering(() => answer);
  assert.deepEqual(await remote.review(write, call), answer);
  const [{ bytes, ...seen } = write] = asked;
  const { bytes: _, ...whole } = write;
  assert.deepEqual(seen, whole);
  assert.ok(bytes > 50);
});

test('an object that admission leaves as it is does not come back', async () => {
  const { remote } = answering(() => ({ ...answer, object: undefined }));
  assert.equal((await remote.review(write, call)).object, undefined);
});

test('a creation has no old object, a deletion no object', async () => {
  const { asked, remote } = answering(() => answer);
  await remote.review({ ...write, oldObject: undefined }, call);
  await remote.review({ ...write, object: undefined }, call);
  assert.deepEqual([asked[0]?.oldObject, asked[1]?.object], [undefined, undefined]);
});

test('what lies in the store is sent in place of the old object, unless it has another form', async () => {
  const { sent, remote } = answering(() => answer);
  const stored = Buffer.from('{"kind":"Scale","metadata":{"name":"stored"}}');
  await remote.review({ ...write, oldObjectJson: () => stored }, call);
  assert.equal(Buffer.from(sent[0]?.oldObject ?? []).toString(), stored.toString());
  await remote.review({ ...write, oldObjectJson: () => undefined }, call);
  assert.equal(Buffer.from(sent[1]?.oldObject ?? []).toString(), JSON.stringify(write.oldObject));
});

test('a refusal comes back beside what there is to say', async () => {
  const refusal = forbidden({ group: 'apps', resource: 'deployments' }, 'web', 'not today');
  const { remote } = answering(() => ({ ...answer, object: undefined, refusal }));
  const refused = await remote.review(write, call);
  assert.ok(refused.refusal instanceof StatusError);
  assert.deepEqual(
    [refused.refusal.code, refused.refusal.message, refused.warnings],
    [403, refusal.message, ['careful']],
  );
});

test('how the path names the group is sent where that is not its name', async () => {
  const { asked, remote, sent } = answering(() => answer);
  await remote.review({ ...write, requestGroup: 'apps' }, call);
  assert.deepEqual([sent[0]?.requestGroup, asked[0]?.requestGroup], ['', 'apps']);
});

test('a gateway that does not say how the path names the group means its name', async () => {
  const { asked, remote, service, sent } = answering(() => answer);
  await remote.review(write, call);
  const [request] = sent;
  assert.ok(request !== undefined);
  await service.review({ ...request, requestGroup: '' }, call);
  assert.deepEqual(
    asked.map(({ requestGroup }) => requestGroup),
    ['apps.alias', 'apps'],
  );
});

test('a review that is not whole is refused', async () => {
  const { remote, service, sent } = answering(() => answer);
  await remote.review(write, call);
  const [request] = sent;
  assert.ok(request !== undefined);
  await assert.rejects(service.review({ ...request, resource: undefined }, call), { code: 404 });
  await assert.rejects(service.review({ ...request, kind: undefined }, call), { code: 400 });
  await assert.rejects(service.review({ ...request, object: Buffer.from('{') }, call), { code: 400 });
});
