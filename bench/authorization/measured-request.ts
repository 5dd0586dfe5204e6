import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { settingsFrom } from '@binnacle/flags';
import { createStorageService } from '@binnacle/storage';
import { createMetrics, silentLogger } from '@binnacle/telemetry';
import { createPki } from '@binnacle/tls';
import { createTokenReview, readTokenOptions, tokenFlags } from '@binnacle/token-review';
import { bindingClaim, createTokenSigner } from '@binnacle/tokens';
import { measured } from './policies.ts';

/** One request that has come and waits for its answer, and what decides on its token. */
interface MeasuredRequest extends AsyncDisposable {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly tokenReview: ReturnType<typeof createTokenReview>;
}

const issuer = 'https://issuer.example';
const lifetimeSeconds = 3600;

/** Sends a request with a signed service-account token to a server that holds it. */
export async function openRequest(directory: string): Promise<MeasuredRequest> {
  await using stack = new AsyncDisposableStack();
  const pki = await createPki(directory);
  const storage = stack.use(
    await createStorageService({
      backend: { kind: 'embedded', directory: join(directory, 'store') },
      log: silentLogger,
      metrics: createMetrics({ process: false }),
    }),
  );
  const flags = settingsFrom(tokenFlags, {
    serviceAccountKeyFile: [pki.serviceAccountPublicKeyFile],
    serviceAccountIssuer: issuer,
    // The accounts are in no store; the lookup is of the first request alone.
    serviceAccountLookup: false,
  });
  const tokenReview = stack.use(
    createTokenReview({
      ...(await readTokenOptions(flags, storage.storage)),
      secret: Buffer.from('measured'),
      log: silentLogger,
      metrics: createMetrics({ process: false }),
      clock: Date.now,
    }),
  );
  const held = await holdRequest(await tokenOf(pki.serviceAccountKeyFile), stack);
  const running = stack.move();
  return { ...held, tokenReview, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

async function tokenOf(keyFile: string): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const { namespace, name } = measured;
  return await createTokenSigner(await readFile(keyFile, 'utf8'))({
    aud: [issuer],
    exp: now + lifetimeSeconds,
    iat: now,
    nbf: now,
    iss: issuer,
    [bindingClaim]: { namespace, serviceaccount: { name, uid: 'uid' } },
    sub: `system:serviceaccount:${namespace}:${name}`,
  });
}

async function holdRequest(token: string, stack: AsyncDisposableStack) {
  const { promise, resolve } = Promise.withResolvers<{
    request: IncomingMessage;
    response: ServerResponse;
  }>();
  const server = createServer((request, response) => resolve({ request, response }));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // Listens on a port.
  const client = get({
    host: '127.0.0.1',
    port,
    path: `/apis/apps/v1/namespaces/${measured.namespace}/${measured.resource}/x`,
    headers: { Authorization: `Bearer ${token}` },
  });
  // It ends without an answer.
  client.on('error', () => {});
  stack.defer(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  return await promise;
}
