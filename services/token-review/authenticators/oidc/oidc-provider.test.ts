import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { request as startRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { pause } from '@binnacle/event-loop';
import { deadlineIn } from '@binnacle/proto';
import { createMetrics, silentLogger } from '@binnacle/telemetry';
import { Provider, type ProviderContext } from 'oidc-provider';
import { createOidcAuthenticator } from './oidc.ts';
import { createOidcMetrics } from './oidc-metrics.ts';
import type { OidcSettings } from './oidc-settings.ts';
import { ProviderKeys } from './provider-keys.ts';
import {
  createTestKey,
  type LoopbackServer,
  startLoopbackServer,
  type TestKey,
} from './test-drivers/test-issuer.ts';

const call = { signal: new AbortController().signal, deadline: deadlineIn(60_000) };
const redirectUri = 'https://client.example/callback';
const client = { client_id: 'binnacle', client_secret: 'a-secret-of-the-client' };
const [first, second, third] = ['first', 'second', 'third'].map(id => createTestKey(id)) as [
  TestKey, // One for each name.
  TestKey,
  TestKey,
];
const curve = createTestKey('curve', 'prime256v1');
let server: LoopbackServer;

before(async () => {
  server = await startLoopbackServer();
});
after(() => server[Symbol.asyncDispose]());

/** A provider with these keys, of which the first that fits signs, and one account. */
function providerWith(keys: readonly TestKey[], algorithm = 'RS256'): RequestListener {
  const provider = new Provider(server.url, {
    clients: [{ ...client, redirect_uris: [redirectUri], id_token_signed_response_alg: algorithm }],
    jwks: { keys: keys.map(({ id, privateKey }) => ({ ...privateKey.export({ format: 'jwk' }), kid: id })) },
    cookies: { keys: ['key of the cookies'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
    scopes: ['openid', 'email', 'groups'],
    conformIdTokenClaims: false,
    pkce: { required: () => false },
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256'] },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, accountId: string) => ({
      accountId,
      claims: () => ({
        sub: accountId,
        email: 'alice@example.org',
        email_verified: true,
        groups: ['devs', 'ops'],
      }),
    }),
    async loadExistingGrant({ oidc }: ProviderContext) {
      const { accountId } = oidc.session;
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId });
      grant.addOIDCScope('openid email groups');
      await grant.save();
      return grant;
    },
  });
  const listener = provider.callback();
  return (request, response) =>
    request.url?.startsWith('/interaction/')
      ? void provider.interactionFinished(request, response, { login: { accountId: 'alice' } })
      : listener(request, response);
}

interface Answer {
  readonly status: number;
  readonly location: string;
  readonly cookies: readonly string[];
  readonly body: string;
}

function ask(url: URL, { headers = {}, body = '' }: { headers?: object; body?: string }): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const method = body === '' ? 'GET' : 'POST';
    const request = startRequest(url, { method, ca: server.ca, agent: false, headers: { ...headers } });
    request.on('error', reject);
    request.on('response', answer => {
      const { statusCode: status = 0, headers: answered } = answer;
      const { location = '', 'set-cookie': cookies = [] } = answered;
      void buffer(answer).then(
        bytes => resolve({ status, location, cookies, body: bytes.toString() }),
        reject,
      );
    });
    request.end(body);
  });
}

/** Signs in as a browser does: follows redirects with cookies until the client has a code, which it exchanges. */
async function signIn(): Promise<string> {
  const parameters = new URLSearchParams({
    client_id: client.client_id,
    response_type: 'code',
    scope: 'openid email groups',
    redirect_uri: redirectUri,
  });
  const cookies = new Map<string, string>();
  let url = new URL(`${server.url}/auth?${parameters}`);
  for (let steps = 0; !url.href.startsWith(redirectUri); steps++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await ask(url, { headers: { cookie } });
    assert.ok(answer.location !== '' && steps < 8, `${url.pathname}: ${answer.status} ${answer.body}`);
    for (const text of answer.cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      cookies.set(name, value);
    }
    url = new URL(answer.location, url);
  }
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: url.searchParams.get('code') ?? '',
    redirect_uri: redirectUri,
  });
  const credentials = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64');
  const headers = {
    authorization: `Basic ${credentials}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const answer = await ask(new URL(`${server.url}/token`), { headers, body: String(body) });
  const { id_token: token } = JSON.parse(answer.body) as { id_token?: string }; // As the standard has it.
  assert.ok(token !== undefined, answer.body);
  return token;
}

function start(changed: Partial<OidcSettings> = {}) {
  const settings: OidcSettings = {
    issuer: server.url,
    clientId: client.client_id,
    usernameClaim: 'sub',
    usernamePrefix: `${server.url}#`,
    groupsClaim: 'groups',
    groupsPrefix: 'oidc:',
    requiredClaims: [],
    ca: server.ca,
    algorithms: ['RS256', 'ES256'],
    ...changed,
  };
  const metrics = createOidcMetrics(createMetrics({ process: false }));
  const time = { now: 0 };
  const [log, now] = [silentLogger, () => time.now];
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const timing = { clock: Date.now, now, random: () => 0, pause, timeout };
  const keys = new ProviderKeys({ settings, metrics, log, ...timing });
  const cacheTtl = { success: 0, failure: 0 };
  const options = { settings, keys, apiAudiences: ['api'], cacheTtl, metrics, clock: Date.now };
  const authenticator = createOidcAuthenticator(options);
  return {
    decide: (token: string) => authenticator.authenticate(token, ['api'], call),
    /** Lets so much time pass that a token may cause a fetch. */
    later: () => {
      time.now += 10_000;
    },
    [Symbol.asyncDispose]: () => keys[Symbol.asyncDispose](),
  };
}

const accepted = () => ({
  kind: 'authenticated',
  user: { username: `${server.url}#alice`, uid: '', groups: ['oidc:devs', 'oidc:ops'], extra: {} },
  audiences: ['api'],
});

for (const [algorithm, key] of [
  ['RS256', first],
  ['ES256', curve],
] as const)
  test(`an id_token of a real provider signed with ${algorithm} is accepted`, async () => {
    server.serve(providerWith([key], algorithm));
    await using oidc = start();
    assert.deepEqual(await oidc.decide(await signIn()), accepted());
  });

test('the claim email is the user name without a prefix, if the flags say so', async () => {
  server.serve(providerWith([first]));
  await using oidc = start({ usernameClaim: 'email', usernamePrefix: '', groupsClaim: undefined });
  const decision = await oidc.decide(await signIn());
  const user = decision.kind === 'authenticated' && decision.user;
  assert.deepEqual(user, { username: 'alice@example.org', uid: '', groups: [], extra: {} });
});

test('a token for another client of the provider is refused', async () => {
  server.serve(providerWith([first]));
  await using oidc = start({ clientId: 'another' });
  assert.deepEqual(await oidc.decide(await signIn()), {
    kind: 'rejected',
    error: 'the token is for another client',
  });
});

test('rotated keys are fetched for the first token that names one, and withdrawn keys are removed', async () => {
  server.serve(providerWith([first]));
  await using oidc = start();
  const old = await signIn();
  assert.deepEqual(await oidc.decide(old), accepted());
  server.serve(providerWith([second, first]));
  const renewed = await signIn();
  oidc.later();
  assert.deepEqual(await oidc.decide(renewed), accepted());
  assert.deepEqual(await oidc.decide(old), accepted());
  server.serve(providerWith([third, second]));
  const newest = await signIn();
  oidc.later();
  assert.deepEqual(await oidc.decide(newest), accepted());
  assert.equal((await oidc.decide(old)).kind, 'rejected');
});

test('known keys are kept while the provider is down, and new ones are fetched when it is back', async () => {
  server.serve(providerWith([first]));
  const early = await signIn();
  await using oidc = start();
  assert.deepEqual(await oidc.decide(early), accepted());
  server.serve(providerWith([second]));
  const late = await signIn();
  await server.down();
  oidc.later();
  assert.deepEqual(await oidc.decide(late), { kind: 'undecided' });
  assert.deepEqual(await oidc.decide(early), accepted());
  await server.up();
  oidc.later();
  assert.deepEqual(await oidc.decide(late), accepted());
});

test('tokens of a provider that is down at the start are accepted once it is back', async () => {
  server.serve(providerWith([first]));
  const token = await signIn();
  await server.down();
  await using oidc = start();
  assert.deepEqual(await oidc.decide(token), { kind: 'undecided' });
  await server.up();
  oidc.later();
  assert.deepEqual(await oidc.decide(token), accepted());
});
