import { type KeyObject, sign, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { JsonObject } from '@binnacle/api-objects';
import type { IssuedCertificate } from '@binnacle/tls/testing';
import { findPort } from '../../journeys/setup/find-port.ts';
import { readBody } from '../../journeys/setup/http-message.ts';
import { at } from '../drivers/conformance-server.ts';

/** The answers of the remote services of a test run, and the requests that they received. */
export interface RemoteServices {
  /** `https://127.0.0.1:port`, the issuer of the provider. */
  readonly url: string;
  /** From now on the token service refuses this token. */
  revoke(token: string): void;
  /** The reviews that the token service was sent, with their client's common name. */
  readonly reviews: readonly { readonly client: string; readonly review: JsonObject }[];
  /** The calls of the admission webhook at `/hook`, by the value of the label `case` of their object. */
  readonly calls: readonly {
    readonly label: string;
    readonly client: string;
    readonly authorization: string;
  }[];
  /** How often the keys of the provider were fetched. */
  readonly keyFetches: () => number;
}

/** Options of the remote services. */
interface RemoteServicesOptions {
  readonly certificate: IssuedCertificate;
  /** PEM of the authority of client certificates. */
  readonly ca: string;
  /** The public keys of the provider. */
  readonly keys: readonly JsonObject[];
}

/**
 * Serves an OpenID provider's metadata and keys, and a token service, on one port of this machine. They do not keep the
 * process from ending.
 */
export async function startRemoteServices({
  certificate,
  ca,
  keys,
}: RemoteServicesOptions): Promise<RemoteServices> {
  const reviews: { client: string; review: JsonObject }[] = [];
  const revoked = new Set<string>();
  const calls: { label: string; client: string; authorization: string }[] = [];
  let keyFetches = 0;
  let url = '';
  const documents: Readonly<Record<string, () => unknown>> = {
    '/.well-known/openid-configuration': () => ({
      issuer: url,
      jwks_uri: `${url}/keys`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    }),
    '/keys': () => {
      keyFetches++;
      return { keys };
    },
  };
  const answer = async (request: IncomingMessage): Promise<unknown> => {
    const [path = ''] = (request.url ?? '').split('?');
    if (path in documents) return documents[path]?.();
    const review: JsonObject = JSON.parse((await readBody(request)).toString('utf8'));
    const client = readCommonName(request);
    if (path === '/hook') {
      const { authorization = '' } = request.headers;
      calls.push({
        label: String(at(review, 'request', 'object', 'metadata', 'labels', 'case')),
        client,
        authorization,
      });
      return admitted(review);
    }
    reviews.push({ client, review });
    return answerTo(review, revoked);
  };
  const server = createServer(
    { ...certificate, ca, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      answer(request).then(
        body => {
          response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
          response.end(JSON.stringify(body ?? {}));
        },
        () => response.destroy(),
      );
    },
  );
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  url = `https://127.0.0.1:${findPort(server)}`;
  return { url, revoke: token => revoked.add(token), reviews, calls, keyFetches: () => keyFetches };
}

function readCommonName(request: IncomingMessage): string {
  const { socket } = request;
  if (!('getPeerX509Certificate' in socket) || typeof socket.getPeerX509Certificate !== 'function') return '';
  const certificate: unknown = socket.getPeerX509Certificate();
  return certificate instanceof X509Certificate ? (/CN=(.*)/.exec(certificate.subject)?.[1] ?? '') : '';
}

/** Lets everything pass, with a label of its own. */
function admitted(review: JsonObject): unknown {
  const patch = [{ op: 'add', path: '/metadata/labels/hooked', value: 'yes' }];
  const { apiVersion, kind } = review;
  return {
    apiVersion,
    kind,
    response: {
      uid: at(review, 'request', 'uid'),
      allowed: true,
      patchType: 'JSONPatch',
      patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
    },
  };
}

/** Decides by the text of the token. */
function answerTo(review: JsonObject, revoked: ReadonlySet<string>): unknown {
  const { apiVersion, spec } = review;
  const { token, audiences } = spec as { token: string; audiences?: string[] }; // As the server under test sends them.
  const user = {
    username: token,
    uid: `uid-of-${token}`,
    groups: ['remote'],
    extra: { 'example.com/key': ['a', 'b'] },
  };
  const statuses: Readonly<Record<string, unknown>> = {
    'remote-whole': { authenticated: true, user },
    'remote-revocable': { authenticated: !revoked.has(token), user },
    'remote-name-only': { authenticated: true, user: { username: token } },
    'remote-with-error': { authenticated: true, user, error: 'not at all' },
    'remote-audiences': { authenticated: true, user, audiences: audiences?.slice(0, 1) ?? [] },
    'remote-other-audience': { authenticated: true, user, audiences: ['somewhere-else'] },
    'remote-nameless': { authenticated: true, user: { username: '' } },
    'remote-refused': { authenticated: false, error: 'the token is not good' },
  };
  const otherVersion = String(apiVersion).endsWith('v1') ? 'v1beta1' : 'v1';
  return {
    apiVersion: token === 'remote-other-version' ? `authentication.cluster.io/${otherVersion}` : apiVersion,
    kind: 'TokenReview',
    spec: { token: 'another-token' },
    status: statuses[token === 'remote-other-version' ? 'remote-whole' : token] ?? { authenticated: false },
  };
}

/** The algorithms of a test run's tokens. */
export type TokenAlgorithm = 'RS256' | 'ES256';

/** A token of claims. */
export function signedToken(
  claims: JsonObject,
  {
    key,
    kid,
    algorithm,
  }: { readonly key: KeyObject; readonly kid: string; readonly algorithm: TokenAlgorithm },
): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: algorithm, typ: 'JWT', kid })}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}
