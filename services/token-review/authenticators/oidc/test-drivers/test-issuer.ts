import { constants, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPki } from '@binnacle/tls';

/** A key pair that tests sign with. */
export interface TestKey {
  readonly id: string | undefined;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** Makes a key pair: RSA of 2048 bits unless a size or a curve is named. */
export function createTestKey(id: string | undefined, form: number | string = 2048): TestKey {
  const pair =
    typeof form === 'number'
      ? generateKeyPairSync('rsa', { modulusLength: form })
      : generateKeyPairSync('ec', { namedCurve: form });
  return { id, ...pair };
}

/** The entry of a key in a key set. */
export function createJwk({ id, publicKey }: TestKey, members: object = {}): object {
  return { ...publicKey.export({ format: 'jwk' }), ...(id !== undefined && { kid: id }), ...members };
}

/** Signs claims as a compact JWT; `header` changes or removes what the key would give it. */
export function signToken(claims: object | string, key: TestKey, header: object = {}): string {
  const fields = { alg: 'RS256', kid: key.id, typ: 'JWT', ...header };
  const payload = typeof claims === 'string' ? claims : JSON.stringify(claims);
  const content = [JSON.stringify(fields), payload]
    .map(part => Buffer.from(part).toString('base64url'))
    .join('.');
  return `${content}.${signContent(content, fields.alg, key).toString('base64url')}`;
}

function signContent(content: string, algorithm: string, { privateKey, publicKey }: TestKey): Buffer {
  const digest = `sha${algorithm.slice(-3)}`;
  if (algorithm === 'none') return Buffer.alloc(0);
  if (algorithm.startsWith('HS')) {
    const secret = publicKey.export({ type: 'spki', format: 'pem' });
    return createHmac(digest, secret).update(content).digest();
  }
  const isPss = algorithm.startsWith('PS');
  return sign(digest, Buffer.from(content), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
    ...(isPss && {
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    }),
  });
}

/** An HTTPS server on loopback with a certificate of an authority made for it. */
export interface LoopbackServer extends AsyncDisposable {
  /** `https://localhost:<port>`, the same after it was down. */
  readonly url: string;
  readonly ca: Buffer;
  readonly caFile: string;
  /** Answers requests from now on. */
  serve(listener: RequestListener): void;
  /** Connections are refused from now on. */
  down(): Promise<void>;
  /** Listens again, on the same port. */
  up(): Promise<void>;
}

/** Starts an HTTPS server on a free port; it answers 404 until it is told what to serve. */
export async function startLoopbackServer(): Promise<LoopbackServer> {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-oidc-'));
  const pki = await createPki(directory);
  const read = (name: string) => readFileSync(join(pki.serverDirectory, name));
  const tls = { cert: read('tls.crt'), key: read('tls.key') };
  let listener: RequestListener = (_, response) => void response.writeHead(404).end();
  const open = async (port: number): Promise<Server> => {
    const server = createServer(tls, (request, response) => listener(request, response));
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return server;
  };
  let server = await open(0);
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  const down = async (): Promise<void> => {
    if (!server.listening) return;
    server.closeAllConnections();
    await once(server.close(), 'close');
  };
  return {
    url: `https://localhost:${port}`,
    ca: readFileSync(pki.caFile),
    caFile: pki.caFile,
    serve(next) {
      listener = next;
    },
    down,
    async up() {
      server = await open(port);
    },
    async [Symbol.asyncDispose]() {
      await down();
      rmSync(directory, { recursive: true });
    },
  };
}

/** The documents of an issuer at a server, by their paths. */
export function issuerDocuments(issuer: string, keys: readonly object[]): Record<string, object> {
  return {
    '/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}/keys` },
    '/keys': { keys },
  };
}

/** Serves documents by their paths, and 404 beside them; `asked` gets each path. */
export function documentListener(
  documents: Readonly<Record<string, object | string>>,
  asked: string[] = [],
): RequestListener {
  return (request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const document = documents[path];
    if (document === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(typeof document === 'string' ? document : JSON.stringify(document));
  };
}
