import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeStored, storedFromJson } from '@binnacle/codecs';
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

/** Creates an admission with the given answers, and records its writes and the requests sent to its service. */
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

test('a write reaches admission in another process unchanged, and the answer comes back', async () => {
  const { asked, remote } = answering(() => answer);
  const { objectJson: _, ...answered } = await remote.review(write, call);
  assert.deepEqual(answered, answer);
  const [seen] = asked;
  assert.ok(seen !== undefined);
  const keys = Object.keys(write).filter(key => key !== 'bytes') as (keyof WriteUnderReview)[]; // the service computes it
  for (const key of keys) assert.deepEqual(seen[key], write[key], key);
  assert.ok(seen.bytes > 50);
});

test('an object that admission does not change is not sent back', async () => {
  const { remote } = answering(() => ({ ...answer, object: undefined }));
  assert.equal((await remote.review(write, call)).object, undefined);
});

test('a creation has no old object, a deletion no object', async () => {
  const { asked, remote } = answering(() => answer);
  await remote.review({ ...write, oldObject: undefined }, call);
  await remote.review({ ...write, object: undefined }, call);
  assert.deepEqual([asked[0]?.oldObject, asked[1]?.object], [undefined, undefined]);
});

test('the JSON text that a gateway already has of the objects is sent as it is', async () => {
  const { sent, remote } = answering(() => answer);
  const json = (name: string) => Buffer.from(`{"kind":"Scale","metadata":{"name":"${name}"}}`);
  await remote.review(
    { ...write, json: { object: async () => json('new'), oldObject: () => json('old') } },
    call,
  );
  await remote.review({ ...write, json: { object: () => json('new'), oldObject: () => undefined } }, call);
  await remote.review({ ...write, json: { object: () => undefined, oldObject: () => json('old') } }, call);
  const objects = [JSON.stringify(write.object), JSON.stringify(write.oldObject)];
  assert.deepEqual(
    sent.map(({ object, oldObject }) => [Buffer.from(object).toString(), Buffer.from(oldObject).toString()]),
    [
      [json('new').toString(), json('old').toString()],
      [json('new').toString(), objects[1]],
      [objects[0], json('old').toString()],
    ],
  );
});

test('a changed object comes back with the text that its stored bytes are made from', async () => {
  const changed = {
    metadata: { name: 'web', resourceVersion: '7' },
    spec: { replicas: 9_007_199_254_740_993n },
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
  };
  const { remote } = answering(() => ({ ...answer, object: changed }));
  const { object, objectJson } = await remote.review(write, call);
  assert.ok(object !== undefined && objectJson !== undefined);
  assert.deepEqual(object, changed);
  assert.deepEqual(storedFromJson(object, objectJson), encodeStored(changed));
});

test('a short old object is parsed when it is first read, a long one when it arrives', async () => {
  let isLooking = false;
  const service = servedAdmission({
    async review(asked) {
      if (isLooking) assert.equal(asked.oldObject?.kind, 'Scale');
      return { ...answer, object: undefined };
    },
  });
  const { sent, remote } = answering(() => answer);
  await remote.review(write, call);
  const [request] = sent;
  assert.ok(request !== undefined);
  const broken = { ...request, oldObject: Buffer.from('{') };
  await service.review(broken, call);
  await assert.rejects(service.review({ ...request, oldObject: Buffer.alloc(70_000, '{') }, call), {
    code: 400,
  });
  isLooking = true;
  await assert.rejects(service.review(broken, call), { code: 400 });
  await service.review(request, call);
});

test('a refusal comes back together with warnings and audit annotations', async () => {
  const refusal = forbidden({ group: 'apps', resource: 'deployments' }, 'web', 'not today');
  const { remote } = answering(() => ({ ...answer, object: undefined, refusal }));
  const refused = await remote.review(write, call);
  assert.ok(refused.refusal instanceof StatusError);
  assert.deepEqual(
    [refused.refusal.code, refused.refusal.message, refused.warnings],
    [403, refusal.message, ['careful']],
  );
});

test('the group of the path is sent where it differs from the group of the definition', async () => {
  const { asked, remote, sent } = answering(() => answer);
  await remote.review({ ...write, requestGroup: 'apps' }, call);
  assert.deepEqual([sent[0]?.requestGroup, asked[0]?.requestGroup], ['', 'apps']);
});

test('without a group of the path the group of the definition counts', async () => {
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

test('an incomplete review is refused', async () => {
  const { remote, service, sent } = answering(() => answer);
  await remote.review(write, call);
  const [request] = sent;
  assert.ok(request !== undefined);
  await assert.rejects(service.review({ ...request, resource: undefined }, call), { code: 404 });
  await assert.rejects(service.review({ ...request, kind: undefined }, call), { code: 400 });
  await assert.rejects(service.review({ ...request, object: Buffer.from('{') }, call), { code: 400 });
});
