import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { FollowedFiles } from '@binnacle/backend-access';
import { parseFlags } from '@binnacle/flags';
import { deadlineIn } from '@binnacle/proto';
import type { Storage } from '@binnacle/storage-contract';
import { createMetrics, silentLogger } from '@binnacle/telemetry';
import { createPki, loadTls } from '@binnacle/tls';
import { tokenFlags, tokenReviewFlags } from './config.ts';
import { readTokenOptions } from './read-token-options.ts';
import { createTokenReview } from './token-review.ts';

let directory = '';
let caFile = '';
let tls: Awaited<ReturnType<typeof loadTls>>;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-token-review-'));
  const pki = await createPki(directory, { clients: [] });
  caFile = pki.caFile;
  tls = await loadTls(pki.serverDirectory);
});
after(() => rm(directory, { recursive: true }));

/** A webhook that knows the token `good`, fails for `broken`, and the versions and tokens that it reviewed. */
async function startWebhook() {
  const asked: string[] = [];
  const server = createServer({ cert: tls.cert, key: tls.key }, async (request, response) => {
    const { apiVersion, spec } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    asked.push(`${apiVersion} ${spec.token}`);
    const status = { authenticated: spec.token === 'good', user: { username: 'ann' } };
    response
      .writeHead(spec.token === 'broken' ? 400 : 200)
      .end(JSON.stringify({ apiVersion, kind: 'TokenReview', status }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // Listens on a port.
  return {
    asked,
    url: `https://127.0.0.1:${port}`,
    async [Symbol.asyncDispose](): Promise<void> {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Without keys of service accounts it is not used. */
const storage = {} as Storage;

/** The service with these flags and a static token, and a client configuration that leads to the webhook. */
async function serviceFor(url: string, ...flags: string[]) {
  const [file, tokens] = [join(directory, 'webhook.conf'), join(directory, 'tokens.csv')];
  await writeFile(tokens, 'listed,bob,1\n');
  await writeFile(
    file,
    `current-context: w
contexts: [{name: w, context: {cluster: w}}]
clusters: [{name: w, cluster: {server: "${url}", certificate-authority: "${caFile}"}}]
`,
  );
  const values = parseFlags(
    tokenFlags,
    [`--authentication-token-webhook-config-file=${file}`, `--token-auth-file=${tokens}`, ...flags],
    {},
  );
  const service = createTokenReview({
    ...(await readTokenOptions(values))(storage),
    secret: () => Buffer.alloc(32),
    log: silentLogger,
    metrics: createMetrics({ process: false }),
    clock: Date.now,
  });
  const signal = new AbortController().signal;
  const review = async (token: string) => {
    const call = { signal, deadline: deadlineIn(60_000) };
    const { authenticated, user, error } = await service.review({ token, audiences: [] }, call);
    return authenticated ? user?.username : error;
  };
  return { service, review, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

test('the webhook is called once in v1beta1 for each token that no other authenticator accepts', async () => {
  await using webhook = await startWebhook();
  await using tokens = await serviceFor(webhook.url);
  assert.equal(await tokens.review('listed'), 'bob');
  for (const _ of ['asked', 'cached']) {
    assert.equal(await tokens.review('good'), 'ann');
    assert.equal(await tokens.review('bad'), 'invalid bearer token');
  }
  assert.deepEqual(webhook.asked, [
    'authentication.cluster.io/v1beta1 good',
    'authentication.cluster.io/v1beta1 bad',
  ]);
});

test('the version and cache TTL of the webhook are flags', async () => {
  await using webhook = await startWebhook();
  const flags = ['--authentication-token-webhook-version=v1', '--authentication-token-webhook-cache-ttl=0s'];
  await using tokens = await serviceFor(webhook.url, ...flags);
  await tokens.review('good');
  await tokens.review('good');
  assert.deepEqual(webhook.asked, Array(2).fill('authentication.cluster.io/v1 good'));
});

test('a failing webhook affects only tokens that it alone knows, and is called again', async () => {
  await using webhook = await startWebhook();
  await using tokens = await serviceFor(webhook.url);
  for (const _ of ['asked', 'not cached']) {
    assert.equal(await tokens.review('broken'), 'invalid bearer token');
    assert.throws(() => tokens.service.checkWebhook(), /answered with status 400/);
    assert.equal(await tokens.review('listed'), 'bob');
  }
  assert.equal(webhook.asked.length, 2);
  await tokens.review('good');
  tokens.service.checkWebhook();
});

test('an unreadable client configuration is reported by name', async () => {
  const flags = ['--authentication-token-webhook-config-file=/none/webhook.conf'];
  await assert.rejects(readTokenOptions(parseFlags(tokenFlags, flags, {})), /\/none\/webhook\.conf/);
});

test('pods share decisions if their token flags and the named files are equal', async () => {
  const file = join(directory, 'shared.conf');
  const digestWith = async (server: string, ...flags: string[]) => {
    await writeFile(
      file,
      `current-context: w
contexts: [{name: w, context: {cluster: w}}]
clusters: [{name: w, cluster: {server: "${server}", certificate-authority: "${caFile}"}}]
`,
    );
    const all = [`--authentication-token-webhook-config-file=${file}`, ...flags];
    const values = parseFlags(tokenReviewFlags, ['--insecure', ...all], {});
    return (await readTokenOptions(values))(storage).settingsDigest?.();
  };
  const usual = await digestWith('https://localhost:1');
  assert.equal(await digestWith('https://localhost:1', '--port=7001', '--operations-port=7002'), usual);
  const others = [
    await digestWith('https://localhost:2'),
    await digestWith('https://localhost:1', '--authentication-token-webhook-version=v1'),
    await digestWith(
      'https://localhost:1',
      '--oidc-issuer-url=https://localhost:3',
      '--oidc-client-id=pods',
      '--oidc-username-prefix=oidc:',
    ),
    await digestWith(
      'https://localhost:1',
      '--oidc-issuer-url=https://localhost:3',
      '--oidc-client-id=pods',
      '--oidc-username-prefix=mail:',
    ),
  ];
  assert.equal(new Set([usual, ...others]).size, 1 + others.length);
});

test('the digest of settings follows a key file that is exchanged', async () => {
  const file = join(directory, 'accounts.pub');
  const publicKey = () =>
    String(
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' }),
    );
  const [old, next] = [publicKey(), publicKey()];
  const values = parseFlags(tokenFlags, [`--service-account-key-file=${file}`], {});
  using files = new FollowedFiles();
  await writeFile(file, old);
  const { settingsDigest } = (await readTokenOptions(values, files))(storage);
  const digestWith = async (keys: string) => {
    await writeFile(file, keys);
    await files.look(silentLogger);
    return settingsDigest?.();
  };
  const usual = settingsDigest?.();
  assert.notEqual(await digestWith(next), usual);
  assert.equal(await digestWith(old), usual);
});
