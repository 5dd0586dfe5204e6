import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeClientConfiguration } from '@binnacle/client';
import { createPki, loadTls } from '@binnacle/tls';
import { startApiServer, until } from './api-server.ts';
import { findPort } from './setup/find-port.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';

const maps = '/api/v1/namespaces/z/configmaps';
const token = 'remote-token';

test('watches continue while the token webhook is down, and end when it refuses their token', async () => {
  await using directory = await createTemporaryDirectory();
  await using webhook = await startTokenWebhook(directory.path);
  await using server = await startApiServer({
    authenticationTokenWebhookConfigFile: webhook.file,
    authenticationTokenWebhookVersion: 'v1',
    authenticationTokenWebhookCacheTtl: 0,
    watchCredentialCheckInterval: 100,
  });
  await server.namespace('z');
  using watch = await server.watch(`${maps}?watch=true`, { token });
  assert.equal(watch.code, 200);
  const checked = async (): Promise<void> => {
    const before = webhook.state.asked;
    await until('the token is checked twice', () => webhook.state.asked >= before + 2);
  };
  await checked();

  webhook.state.says = 'nothing useful';
  await checked();
  const refused = await server.call('GET', maps, { token });
  assert.equal(refused.code, 401);
  const { code, text } = await server.call('GET', '/readyz?verbose');
  assert.equal(code, 200);
  assert.match(text, /^\[-\]token-webhook failed, not required: reason withheld$/m);
  const created = await server.call('POST', maps, { body: { metadata: { name: 'seen' } } });
  assert.equal(created.code, 201, created.text);
  await until('the watch goes on', () => watch.events.some(({ object }) => object.metadata.name === 'seen'));

  webhook.state.says = 'yes';
  await checked();
  assert.match((await server.call('GET', '/readyz?verbose')).text, /^\[\+\]token-webhook ok$/m);
  webhook.state.says = 'no';
  await watch.ended;
  assert.equal(
    watch.events.some(({ type }) => type === 'ERROR'),
    false,
  );
});

/** A webhook for tokens, which are an administrator's where it says yes, and the client configuration file for it. */
async function startTokenWebhook(directory: string) {
  const pki = await createPki(join(directory, 'webhook'), { clients: [] });
  const tls = await loadTls(pki.serverDirectory);
  const state = { says: 'yes' as 'yes' | 'no' | 'nothing useful', asked: 0 };
  const user = { username: 'ann', groups: ['system:masters'] };
  const server = createServer({ cert: tls.cert, key: tls.key }, async (request, response) => {
    const parts: Buffer[] = await request.toArray();
    const { apiVersion, kind } = JSON.parse(Buffer.concat(parts).toString());
    state.asked++;
    const status = state.says === 'yes' ? { authenticated: true, user } : { authenticated: false };
    response
      .writeHead(state.says === 'nothing useful' ? 400 : 200)
      .end(JSON.stringify({ apiVersion, kind, status }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const port = findPort(server);
  const file = join(directory, 'token-webhook.yaml');
  const configuration = { servers: [`https://127.0.0.1:${port}`], certificateAuthority: tls.ca };
  await writeClientConfiguration(file, configuration, { cluster: 'webhook', user: 'server' });
  return {
    state,
    file,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
