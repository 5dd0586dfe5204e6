import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { createRemoteWebhook } from '@binnacle/client';
import { createCallContext } from '@binnacle/rpc';
import { createMetrics, silentLogger } from '@binnacle/telemetry';
import { createPki, loadTls } from '@binnacle/tls';
import type { User } from '../../request/api-request.ts';
import type { Access } from '../authorizer.ts';
import type { ReviewVersion } from './access-review.ts';
import { createWebhookAuthorizer, reviewKey } from './create-webhook-authorizer.ts';
import { createWebhookMetrics } from './webhook-metrics.ts';

/** Longer than a test lasts, however slow the machine is: 1,000 handshakes take their time. */
const timeoutMs = 600_000;

type Tls = Awaited<ReturnType<typeof loadTls>>;

let directory = '';
let serverTls: Tls;
let gatewayTls: Tls;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-authorization-webhook-'));
  const pki = await createPki(directory, { clients: [{ name: 'gateway', commonName: 'gateway' }] });
  serverTls = await loadTls(pki.serverDirectory);
  gatewayTls = await loadTls(pki.clientDirectory('gateway'));
});
after(() => rm(directory, { recursive: true }));

/** The webhook's answer to the review that it gets; a number is a status without a body. */
type Answer = (review: Record<string, unknown>) => unknown | Promise<unknown>;

const saying =
  (status: object, more: object = {}): Answer =>
  ({ apiVersion, kind }) => ({ apiVersion, kind, status, ...more });

/** A webhook that takes only clients with a certificate, and an authorizer that asks it. */
async function start(answers: Answer[], { version = 'v1', kept = 300_000 } = {}) {
  const seen: { review: Record<string, unknown>; caller: unknown; path: string | undefined }[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = await request.toArray();
    const review = JSON.parse(Buffer.concat(parts).toString());
    const socket = request.socket as TLSSocket; // Of a server over TLS.
    seen.push({ review, caller: socket.getPeerCertificate().subject?.CN, path: request.url });
    const answer = await answers[Math.min(seen.length, answers.length) - 1]?.(review);
    if (typeof answer === 'number') response.writeHead(answer).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  };
  const options = { ...serverTls, ca: gatewayTls.ca, requestCert: true, rejectUnauthorized: true };
  const server = createServer(options, (request, response) => void respond(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // Listens on a port.
  const webhook = createRemoteWebhook({
    configuration: {
      servers: [`https://127.0.0.1:${port}/authorize?cluster=z`],
      certificateAuthority: serverTls.ca,
      clientCertificate: gatewayTls.cert,
      clientKey: gatewayTls.key,
    },
    userAgent: 'test',
    timeoutMs,
    retry: { attempts: 2, backoffMs: 1 },
  });
  const state = { now: 1_000_000 };
  const metrics = createMetrics({ process: false });
  const authorizer = createWebhookAuthorizer({
    webhook,
    version: version as ReviewVersion, // Of a table of versions.
    authorizedTtlMs: kept,
    unauthorizedTtlMs: kept / 10,
    metrics: createWebhookMetrics(metrics),
    logger: silentLogger,
    clock: () => state.now,
  });
  const ask = async (user = bob, access: Access = read, signal?: AbortSignal) => {
    using call = createCallContext({ timeoutMs, signal });
    return await authorizer.authorize(user, access, call);
  };
  return {
    seen,
    state,
    authorizer,
    ask,
    metrics: async () => (await metrics.render()).body,
    async [Symbol.asyncDispose]() {
      await webhook[Symbol.asyncDispose]();
      server.closeAllConnections();
      server.close();
    },
  };
}

const bob: User = { username: 'bob', uid: 'u', groups: ['devs'], extra: { scope: ['a', 'b'] } };
const read: Access = {
  kind: 'resource',
  verb: 'get',
  group: 'apps',
  version: 'v1',
  resource: 'deployments',
  subresource: 'scale',
  namespace: 'z',
  name: 'd',
};
const attributes = {
  verb: 'get',
  group: 'apps',
  version: 'v1',
  resource: 'deployments',
  subresource: 'scale',
  namespace: 'z',
  name: 'd',
};
const yes = saying({ allowed: true, reason: 'because' });
const no = saying({ allowed: false });

test('the webhook is called with the user and the attributes, at its path, with the certificate of the gateway', async () => {
  await using webhook = await start([yes]);
  assert.deepEqual(await webhook.ask(), { verdict: 'allowed', reason: 'because' });
  assert.deepEqual(webhook.seen, [
    {
      caller: 'gateway',
      path: '/authorize?cluster=z',
      review: {
        apiVersion: 'authorization.cluster.io/v1',
        kind: 'SubjectAccessReview',
        metadata: {},
        spec: {
          resourceAttributes: attributes,
          user: 'bob',
          groups: ['devs'],
          extra: { scope: ['a', 'b'] },
          uid: 'u',
        },
        status: { allowed: false },
      },
    },
  ]);
});

test('version v1beta1 has groups under their field name of that version', async () => {
  await using webhook = await start([yes], { version: 'v1beta1' });
  const access: Access = { kind: 'path', verb: 'get', path: '/metrics' };
  await webhook.ask({ ...bob, uid: '', extra: {} }, access);
  const { apiVersion, spec } = webhook.seen[0]?.review ?? {};
  assert.deepEqual(
    [apiVersion, spec],
    [
      'authorization.cluster.io/v1beta1',
      { nonResourceAttributes: { path: '/metrics', verb: 'get' }, user: 'bob', group: ['devs'] },
    ],
  );
});

const verdicts: [string, Answer, { verdict: string; reason: string }][] = [
  ['allowed', yes, { verdict: 'allowed', reason: 'because' }],
  ['not allowed', saying({ allowed: false, reason: 'no' }), { verdict: 'noOpinion', reason: 'no' }],
  ['without a word', saying({}), { verdict: 'noOpinion', reason: '' }],
  ['denied', saying({ allowed: false, denied: true, reason: 'no' }), { verdict: 'denied', reason: 'no' }],
  ['both', saying({ allowed: true, denied: true }), { verdict: 'denied', reason: '' }],
  [
    'allowed, under the name that Kubernetes has for the group',
    saying({ allowed: true }, { apiVersion: 'authorization.k8s.io/v1' }),
    { verdict: 'allowed', reason: '' },
  ],
  [
    'allowed, with a reason that is too long',
    saying({ allowed: true, reason: 'r'.repeat(2000) }),
    { verdict: 'allowed', reason: 'r'.repeat(1000) },
  ],
  ['allowed after a failure', answerInTurn(() => 503, yes), { verdict: 'allowed', reason: 'because' }],
];
for (const [name, answer, expected] of verdicts)
  test(`the answer of the webhook: ${name}`, async () => {
    await using webhook = await start([answer]);
    assert.deepEqual(await webhook.ask(), expected);
  });

function answerInTurn(...answers: Answer[]): Answer {
  return review => (answers.length > 1 ? answers.shift() : answers[0])?.(review);
}

const failures: [string, Answer][] = [
  ['an error of the server', () => 500],
  ['a refusal', () => 401],
  ['another version', saying({ allowed: true }, { apiVersion: 'authorization.cluster.io/v1beta1' })],
  ['another kind', saying({ allowed: true }, { kind: 'TokenReview' })],
  ['no version', () => ({ status: { allowed: true } })],
  ['no status', ({ apiVersion, kind }) => ({ apiVersion, kind })],
  ['a truth that is none', saying({ allowed: 'true' })],
  ['a denial that is none', saying({ allowed: true, denied: 1 })],
  ['a reason that is none', saying({ allowed: true, reason: {} })],
  ['a list', () => []],
];
for (const [name, answer] of failures)
  test(`${name} is no opinion with an error, and is not cached`, async () => {
    await using webhook = await start([answer]);
    for (const _ of [1, 2]) {
      const { verdict, reason, error } = await webhook.ask();
      assert.deepEqual([verdict, reason, error?.code], ['noOpinion', '', 500]);
      assert.equal(error?.message, 'Internal error occurred: the authorization webhook failed');
    }
    assert.ok(webhook.seen.length >= 2);
  });

test('the check of a failing webhook fails until a call succeeds', async () => {
  await using webhook = await start([() => 401, yes]);
  webhook.authorizer.assertWorks();
  await webhook.ask();
  assert.throws(() => webhook.authorizer.assertWorks(), /the last call failed/);
  await webhook.ask();
  webhook.authorizer.assertWorks();
});

test('allowed and denied decisions are cached for their configured times', async () => {
  await using webhook = await start([yes, no, yes, no]);
  const carol = { ...bob, username: 'carol' };
  for (const _ of [1, 2]) {
    assert.equal((await webhook.ask()).verdict, 'allowed');
    assert.equal((await webhook.ask(carol)).verdict, 'noOpinion');
  }
  assert.equal(webhook.seen.length, 2);
  webhook.state.now += 30_000;
  assert.equal((await webhook.ask()).verdict, 'allowed');
  assert.equal((await webhook.ask(carol)).verdict, 'allowed');
  assert.equal(webhook.seen.length, 3);
  webhook.state.now += 270_000;
  assert.equal((await webhook.ask()).verdict, 'noOpinion');
  assert.equal(webhook.seen.length, 4);
});

test('a clock that is set back discards cached decisions', async () => {
  await using webhook = await start([yes, no]);
  await webhook.ask();
  webhook.state.now -= 1;
  assert.equal((await webhook.ask()).verdict, 'noOpinion');
});

const differences: [string, User, Access][] = [
  ['user', { ...bob, username: 'carol' }, read],
  ['uid', { ...bob, uid: 'other' }, read],
  ['group', { ...bob, groups: ['devs', 'ops'] }, read],
  ['extra', { ...bob, extra: { scope: ['a'] } }, read],
  ['verb', bob, { ...read, verb: 'list' }],
  ['namespace', bob, { ...read, namespace: 'y' }],
  ['name', bob, { ...read, name: 'e' }],
  ['subresource', bob, { ...read, subresource: '' }],
];
for (const [name, user, access] of differences)
  test(`a decision is not reused for another ${name}`, async () => {
    await using webhook = await start([yes, no]);
    assert.equal((await webhook.ask()).verdict, 'allowed');
    assert.equal((await webhook.ask(user, access)).verdict, 'noOpinion');
  });

test('the decision on a very long request is not cached', async () => {
  await using webhook = await start([yes]);
  const long: Access = { ...read, name: 'n'.repeat(10_001) };
  await webhook.ask(bob, long);
  await webhook.ask(bob, long);
  assert.equal(webhook.seen.length, 2);
});

test('without a cache TTL each request is a call', async () => {
  await using webhook = await start([yes], { kept: 0 });
  await webhook.ask();
  await webhook.ask();
  assert.equal(webhook.seen.length, 2);
});

test('concurrent equal requests share one call, which does not end with the first of them', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await using webhook = await start([
    async review => {
      await promise;
      return yes(review);
    },
  ]);
  const leaving = new AbortController();
  const first = webhook.ask(bob, read, leaving.signal);
  const others = [webhook.ask(), webhook.ask()];
  leaving.abort(new Error('the client has gone'));
  await assert.rejects(first, /the client has gone/);
  resolve();
  for (const other of others) assert.equal((await other).verdict, 'allowed');
  assert.equal(webhook.seen.length, 1);
  await webhook.ask();
  const shown = await webhook.metrics();
  assert.match(shown, /^binnacle_authorization_webhook_questions_total\{source="call"\} 1$/m);
  assert.match(shown, /^binnacle_authorization_webhook_questions_total\{source="shared"\} 2$/m);
  assert.match(shown, /^binnacle_authorization_webhook_questions_total\{source="cache"\} 1$/m);
  assert.match(shown, /^binnacle_authorization_webhook_calls_total\{result="allowed"\} 1$/m);
  assert.match(shown, /^binnacle_authorization_webhook_call_duration_seconds_count\{result="allowed"\} 1$/m);
});

test('concurrent calls beyond the limit fail at once', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await using webhook = await start([
    async review => {
      await promise;
      return yes(review);
    },
  ]);
  const asked = Array.from({ length: 1000 }, (_, index) => webhook.ask(bob, { ...read, name: `n${index}` }));
  await assert.rejects(webhook.ask(bob, { ...read, name: 'one more' }), { code: 503 });
  resolve();
  const decisions = await Promise.all(asked);
  assert.ok(decisions.every(({ verdict }) => verdict === 'allowed'));
});

test('the rules of a user cannot be listed', async () => {
  await using webhook = await start([yes]);
  const { rules, incomplete, evaluationError } = webhook.authorizer.rulesFor(bob, 'z');
  assert.deepEqual([rules, incomplete], [[], true]);
  assert.match(evaluationError, /does not support user rule resolution/);
  assert.deepEqual(webhook.authorizer.boundRules(bob, 'z'), []);
});

test('cache keys have a constant size, and differ for different requests', () => {
  const keys = ['', 'a', 'b', 'a'.repeat(100_000)].map(reviewKey);
  assert.deepEqual([...new Set(keys.map(key => key.length))], [44]);
  assert.equal(new Set(keys).size, 4);
});
