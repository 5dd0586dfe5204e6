import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { loadClientConfiguration } from '@binnacle/client';
import { deadlineIn, noDeadline } from '@binnacle/proto';
import { createLogger, createMetrics } from '@binnacle/telemetry';
import { createPki, loadTls, type Pki } from '@binnacle/tls';
import type { Decision } from '../authenticator.ts';
import type { TokenReviewVersion } from './token-review-message.ts';
import { createWebhookAuthenticator } from './webhook.ts';

let directory = '';
let pki: Pki;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-token-webhook-'));
  pki = await createPki(directory, { clients: [{ name: 'api-server', commonName: 'api-server' }] });
});
after(() => rm(directory, { recursive: true }));

/** A request that the webhook received. */
interface Asked {
  readonly path: string;
  readonly certificate: unknown;
  readonly body: unknown;
}

/** The answer of the webhook: bytes of a status, or nothing at all. */
type Reply = { readonly code?: number; readonly text: string } | 'silence' | 'hang up';

const ann = { username: 'ann', uid: '7', groups: ['dev', 'ops'], extra: { scope: ['a', 'b'] } };
const review = (status: unknown, version = 'v1', more: object = {}): Reply => ({
  text: JSON.stringify({
    apiVersion: `authentication.cluster.io/${version}`,
    kind: 'TokenReview',
    status,
    ...more,
  }),
});
const accepted = (more: object = {}) => review({ authenticated: true, user: ann, ...more });
const authenticated = (audiences: string[]): Decision => ({
  kind: 'authenticated',
  user: { ...ann, extra: { scope: { values: ['a', 'b'] } } },
  audiences,
});

/** A TokenReview server over TLS that accepts only the certificate of the API server; it repeats its last reply. */
async function startWebhook(...replies: Reply[]) {
  const asked: Asked[] = [];
  const tls = await loadTls(pki.serverDirectory);
  const listener = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const socket = request.socket as TLSSocket; // Of a server over TLS.
    const certificate = socket.getPeerCertificate().subject?.CN;
    asked.push({ path: request.url ?? '', certificate, body });
    const reply = replies[Math.min(asked.length, replies.length) - 1] ?? 'silence';
    if (reply === 'hang up') request.socket.destroy();
    else if (reply !== 'silence') response.writeHead(reply.code ?? 200).end(reply.text);
  };
  const options = { cert: tls.cert, key: tls.key, ca: tls.ca, requestCert: true, rejectUnauthorized: true };
  const server = createServer(options, (request, response) => void listener(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // Listens on a port.
  return {
    asked,
    url: `https://127.0.0.1:${port}/tokens?cluster=a`,
    async [Symbol.asyncDispose](): Promise<void> {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface AuthenticatorOptions {
  readonly version?: TokenReviewVersion;
  readonly cacheTtl?: number;
  readonly apiAudiences?: readonly string[];
}

/** An authenticator with a client configuration file for the webhook, the lines of its log, and its metrics. */
async function open(url: string, options: AuthenticatorOptions = {}) {
  const { version = 'v1', cacheTtl = 120_000, apiAudiences = ['api'] } = options;
  const file = join(directory, 'webhook.conf');
  const clientDirectory = pki.clientDirectory('api-server');
  await writeFile(
    file,
    `current-context: webhook
contexts: [{name: webhook, context: {cluster: remote, user: api-server}}]
clusters: [{name: remote, cluster: {server: "${url}", certificate-authority: "${pki.caFile}"}}]
users: [{name: api-server, user: {client-certificate: "${clientDirectory}/tls.crt", client-key: "${clientDirectory}/tls.key"}}]
`,
  );
  const lines: string[] = [];
  const metrics = createMetrics({ process: false });
  const authenticator = createWebhookAuthenticator({
    configuration: loadClientConfiguration(file),
    version,
    cacheTtl,
    apiAudiences,
    log: createLogger({ level: 'debug', sink: line => lines.push(line) }),
    metrics,
    clock: Date.now,
    backoffMs: 1,
  });
  return {
    lines,
    authenticator,
    counted: async () =>
      [...(await metrics.render()).body.matchAll(/_count\{outcome="(\w+)"\} (\d+)/g)].map(
        ([, o, n]) => `${o} ${n}`,
      ),
    ask: (audiences: readonly string[] = ['api'], deadline = noDeadline) =>
      authenticator.authenticate('s3cr3t', audiences, { signal: new AbortController().signal, deadline }),
    [Symbol.asyncDispose]: () => authenticator[Symbol.asyncDispose](),
  };
}

for (const version of ['v1', 'v1beta1'] as const)
  test(`a token is sent with its audiences as TokenReview ${version} with the client certificate`, async () => {
    await using webhook = await startWebhook(
      review({ authenticated: true, user: ann, error: 'ignored' }, version, { spec: { token: 'ignored' } }),
    );
    await using token = await open(webhook.url, { version });
    assert.deepEqual(await token.ask(['api', 'other']), authenticated(['api']));
    assert.deepEqual(webhook.asked, [
      {
        path: '/tokens?cluster=a',
        certificate: 'api-server',
        body: {
          apiVersion: `authentication.cluster.io/${version}`,
          kind: 'TokenReview',
          spec: { token: 's3cr3t', audiences: ['api', 'other'] },
        },
      },
    ]);
    assert.deepEqual(await token.counted(), ['authenticated 1']);
  });

const decisions: readonly [what: string, wanted: string[], status: object, expected: Decision][] = [
  ['none named: the API server', ['api'], {}, authenticated(['api'])],
  [
    'none named, others wanted',
    ['vault'],
    {},
    { kind: 'rejected', error: 'the token is for other audiences' },
  ],
  ['an empty list names none', ['api'], { audiences: [] }, authenticated(['api'])],
  ['some named', ['a', 'b', 'c'], { audiences: ['c', 'x', 'a'] }, authenticated(['a', 'c'])],
  [
    'others named',
    ['api'],
    { audiences: ['vault'] },
    { kind: 'rejected', error: 'the token is for other audiences' },
  ],
  ['none wanted', [], { audiences: ['vault'] }, authenticated(['vault'])],
];

for (const [what, wanted, status, expected] of decisions)
  test(`audiences: ${what}`, async () => {
    await using webhook = await startWebhook(accepted(status));
    await using token = await open(webhook.url);
    assert.deepEqual(await token.ask(wanted), expected);
  });

test('a review without audiences sends none', async () => {
  await using webhook = await startWebhook(accepted());
  await using token = await open(webhook.url);
  await token.ask([]);
  assert.deepEqual(webhook.asked[0]?.body, {
    apiVersion: 'authentication.cluster.io/v1',
    kind: 'TokenReview',
    spec: { token: 's3cr3t' },
  });
});

test('a user may have a name only', async () => {
  await using webhook = await startWebhook(review({ authenticated: true, user: { username: 'ann' } }));
  await using token = await open(webhook.url);
  const user = { username: 'ann', uid: '', groups: [], extra: {} };
  assert.deepEqual(await token.ask(), { kind: 'authenticated', user, audiences: ['api'] });
});

for (const [what, status, error] of [
  ['with its reason', { authenticated: false, error: 'expired', user: ann }, 'expired'],
  ['without a reason', { authenticated: false }, 'invalid bearer token'],
  ['by saying nothing', {}, 'invalid bearer token'],
  ['with a reason without end', { error: 'x'.repeat(5000) }, 'x'.repeat(1024)],
] as const)
  test(`a token is refused ${what}`, async () => {
    await using webhook = await startWebhook(review(status));
    await using token = await open(webhook.url);
    assert.deepEqual(await token.ask(), { kind: 'rejected', error });
    assert.deepEqual(await token.counted(), ['rejected 1']);
    token.authenticator.check();
  });

for (const [what, replies] of [
  [
    '500',
    [
      { code: 500, text: '' },
      { code: 503, text: '' },
    ],
  ],
  ['429', [{ code: 429, text: '' }]],
  ['a connection that breaks off', ['hang up']],
] as const)
  test(`${what} is retried until the webhook answers`, async () => {
    await using webhook = await startWebhook(...replies, accepted());
    await using token = await open(webhook.url);
    assert.deepEqual(await token.ask(), authenticated(['api']));
    assert.equal(webhook.asked.length, replies.length + 1);
    token.authenticator.check();
  });

const useless: readonly [what: string, reply: Reply, tries: number, reason: RegExp][] = [
  ['500, always', { code: 500, text: 's3cr3t' }, 5, /answered with status 500/],
  ['401', { code: 401, text: 's3cr3t' }, 1, /answered with status 401/],
  ['a redirect', { code: 302, text: '' }, 1, /redirect with status 302 is not followed/],
  ['a broken connection, always', 'hang up', 5, /cannot be reached: ECONNRESET/],
  ['text', { text: 's3cr3t' }, 1, /the answer is not JSON/],
  ['a list', { text: '["s3cr3t"]' }, 1, /the answer is not a TokenReview/],
  ['another kind', { text: '{"kind":"Status"}' }, 1, /the answer is not a TokenReview/],
  [
    'another version',
    review({ authenticated: true, user: ann }, 'v1beta1'),
    1,
    /the answer is not of version authentication\.cluster\.io\/v1/,
  ],
  ['no status', review(undefined), 1, /the answer has no status/],
  ['a text as verdict', review({ authenticated: 'true' }), 1, /status\.authenticated is not true or false/],
  ['no user', review({ authenticated: true }), 1, /status\.user is missing/],
  ['no name', review({ authenticated: true, user: { uid: '1' } }), 1, /status\.user\.username is missing/],
  [
    'a number as group',
    review({ authenticated: true, user: { ...ann, groups: [1] } }),
    1,
    /status\.user\.groups is not a list of strings/,
  ],
  [
    'a text as extra',
    review({ authenticated: true, user: { ...ann, extra: { a: 's3cr3t' } } }),
    1,
    /status\.user\.extra is not a list of strings/,
  ],
  [
    'audiences that are none',
    accepted({ audiences: 'api' }),
    1,
    /status\.audiences is not a list of strings/,
  ],
  [
    'a user of more than 64 KiB',
    review({ authenticated: true, user: { ...ann, groups: ['x'.repeat(64 * 1024)] } }),
    1,
    /status\.user is longer than 65536 characters/,
  ],
  ['more than a mebibyte', { text: 'x'.repeat(2 ** 20 + 1) }, 1, /the answer is larger than 1048576 bytes/],
];

for (const [what, reply, tries, reason] of useless)
  test(`a webhook that answers with ${what} leaves the token undecided, with a reason that has no secrets`, async () => {
    await using webhook = await startWebhook(reply);
    await using token = await open(webhook.url);
    assert.deepEqual(await token.ask(), { kind: 'undecided' });
    assert.equal(webhook.asked.length, tries);
    assert.throws(() => token.authenticator.check(), reason);
    assert.deepEqual(await token.counted(), ['error 1']);
    assert.equal(token.lines.length, 1);
    assert.match(token.lines[0] ?? '', /token webhook failed/);
    assert.doesNotMatch(token.lines.join(''), /s3cr3t/);
  });

test('a token is undecided before the deadline of the call if the webhook is slow', async () => {
  await using webhook = await startWebhook('silence');
  await using token = await open(webhook.url);
  const deadline = deadlineIn(500);
  assert.deepEqual(await token.ask(['api'], deadline), { kind: 'undecided' });
  assert.throws(() => token.authenticator.check(), /no answer before the deadline of the call/);
});

test('the check of a webhook passes when it answers after a failure', async () => {
  await using webhook = await startWebhook({ code: 400, text: '' }, accepted());
  await using token = await open(webhook.url);
  assert.deepEqual(await token.ask(), { kind: 'undecided' });
  assert.deepEqual(await token.ask(), authenticated(['api']));
  token.authenticator.check();
  assert.match(token.lines.at(-1) ?? '', /token webhook answers/);
});

test('a token is undecided if no webhook listens', async () => {
  const webhook = await startWebhook(accepted());
  await webhook[Symbol.asyncDispose]();
  await using token = await open(webhook.url);
  assert.deepEqual(await token.ask(), { kind: 'undecided' });
  assert.throws(() => token.authenticator.check(), /cannot be reached: ECONNREFUSED/);
});

for (const [cacheTtl, success, failure] of [
  [120_000, 120_000, 10_000],
  [3_000, 3_000, 3_000],
  [0, 0, 0],
] as const)
  test(`with a cache TTL of ${cacheTtl} ms refusals are cached for ${failure} ms`, async () => {
    await using token = await open('https://127.0.0.1:1/', { cacheTtl });
    assert.deepEqual(token.authenticator.cacheTtl, { success, failure });
  });
