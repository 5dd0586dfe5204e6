import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type ApiServer, startApiServer, until } from './api-server.ts';

const configuration = '/.well-known/openid-configuration';
const keys = '/openid/v1/jwks';

let server: ApiServer;
before(async () => {
  server = await startApiServer();
});
after(() => server?.[Symbol.asyncDispose]());

async function accountToken(): Promise<string> {
  const path = '/api/v1/namespaces/default/serviceaccounts/default';
  await until('there is an account', async () => (await server.call('GET', path)).code === 200);
  const answer = await server.call('POST', `${path}/token`, { body: {} });
  assert.equal(answer.code, 201, answer.text);
  return JSON.parse(answer.text).status.token;
}

test('a service account can read the documents, which verify its token', async () => {
  const token = await accountToken();
  const document = await server.call('GET', configuration, { token });
  assert.equal(document.code, 200, document.text);
  assert.equal(document.headers['content-type'], 'application/json');
  assert.equal(document.headers['cache-control'], 'public, max-age=3600');
  assert.deepEqual(JSON.parse(document.text), {
    issuer: 'https://binnacle.local',
    jwks_uri: `${server.url}${keys}`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  });
  const set = await server.call('GET', keys, { token });
  assert.equal(set.headers['content-type'], 'application/jwk-set+json');
  assert.equal(set.headers['cache-control'], 'public, max-age=3600');
  const [header = '', claims = '', signature = ''] = token.split('.');
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
  const jwk = JSON.parse(set.text).keys.find((key: { kid: string }) => key.kid === kid);
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  assert.ok(verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url')));
  assert.doesNotMatch(set.text, /"(d|p|q|dp|dq|qi)":/);
});

test('other users are refused unless roles allow it', async () => {
  for (const path of [configuration, keys, `${keys}/`]) {
    assert.equal((await server.call('GET', path, { token: null })).code, 403);
    assert.equal((await server.call('GET', path, { token: 'bobtoken' })).code, 403);
    assert.equal((await server.call('GET', path)).code, 200, path);
    assert.equal((await server.call('POST', path, { body: {} })).code, 405);
  }
});

for (const [path, accept, code] of [
  [configuration, 'application/json, */*', 200],
  [configuration, 'application/yaml', 406],
  [keys, 'application/jwk-set+json', 200],
  [keys, 'application/*', 200],
  [keys, 'application/json', 406],
] as const)
  test(`${path} with Accept ${accept} is ${code}`, async () => {
    const answer = await server.call('GET', path, { headers: { Accept: accept } });
    assert.equal(answer.code, code);
    assert.equal(
      answer.headers['cache-control'],
      code === 200 ? 'public, max-age=3600' : 'no-cache, private',
    );
  });

test('the paths are in the root list of the server', async () => {
  const paths: string[] = JSON.parse((await server.call('GET', '/')).text).paths;
  assert.deepEqual(
    [configuration, keys].filter(path => !paths.includes(path)),
    [],
  );
});

test('an issuer that is not an https URL has no documents', async () => {
  await using other = await startApiServer({
    serviceAccountIssuer: 'binnacle',
    serviceAccountJwksUri: undefined,
  });
  assert.equal((await other.call('GET', configuration)).code, 404);
  assert.equal((await other.call('GET', keys)).code, 404);
});
