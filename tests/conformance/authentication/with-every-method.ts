import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@binnacle/api-objects';
import { issueAuthority, issueCertificate } from '@binnacle/tls/testing';
import { keyIdFromKey } from '@binnacle/tokens/testing';
import type { Certificate } from '../drivers/certified-requests.ts';
import type { ConformanceServer } from '../drivers/conformance-server.ts';
import {
  type RemoteServices,
  signedToken,
  startRemoteServices,
  type TokenAlgorithm,
} from './remote-services.ts';

/** A server that takes credentials of every method, and what its clients need for them. */
export interface EveryMethod {
  readonly server: ConformanceServer;
  readonly remote: RemoteServices;
  /** The id token of these claims, beside those that every token needs. */
  idToken(
    claims?: JsonObject,
    options?: { readonly lifetimeSeconds?: number; readonly algorithm?: TokenAlgorithm },
  ): string;
  /** A certificate of the authority of proxies. */
  proxyCertificate(commonName: string): Promise<Certificate>;
  /** Signs a service-account token with an RSA key that the server trusts but does not sign with. */
  accountToken(claims: JsonObject): string;
  /** PEM of the authority of the certificate of the remote services. */
  readonly remoteAuthority: string;
  /** The file that audit events are written to. */
  readonly auditLog: string;
}

/** The parts that tests and their server share on this machine. */
interface Surroundings extends Omit<EveryMethod, 'server'> {
  readonly flags: Readonly<Record<string, string>>;
}

/** The client that id tokens are for. */
const clientId = 'conformance';
/** The namespace of the service that leads to the admission webhook. */
export const hookNamespace = 'conformance-hooks';
const days = 2;
/** By server: one process may run the tests of several forms, and what is revoked for one of them is good for the other. */
const surroundings = new WeakMap<ConformanceServer, Promise<Surroundings>>();

/** A server with every method of authentication, a remote service behind each that needs one, and an audit log. */
export async function withEveryMethod(
  server: ConformanceServer,
  flags: Readonly<Record<string, string>> = {},
): Promise<EveryMethod> {
  const made = surroundings.get(server) ?? createSurroundings();
  surroundings.set(server, made);
  const { flags: usual, ...shared } = await made;
  return { ...shared, server: await server.variant({ ...usual, ...flags }) };
}

/** The same with the other value of each flag that has a default. */
export function withOtherClaims(server: ConformanceServer): Promise<EveryMethod> {
  return withEveryMethod(server, {
    'authentication-token-webhook-version': 'v1',
    'authentication-token-webhook-cache-ttl': '1s',
    'oidc-username-claim': 'email',
    'oidc-username-prefix': 'mail:',
    'oidc-signing-algs': 'ES256',
  });
}

async function createSurroundings(): Promise<Surroundings> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-methods-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const [services, proxies] = await Promise.all([
    issueAuthority('remote services', days),
    issueAuthority('proxies', days),
  ]);
  const names = ['127.0.0.1', 'localhost', `hook.${hookNamespace}.svc`];
  const [serving, client] = await Promise.all([
    issueCertificate(services, { commonName: 'remote', names, usages: ['server'], validDays: days }),
    issueCertificate(services, { commonName: 'api-server', usages: ['client'], validDays: days }),
  ]);
  const [rsa, ecdsa, accountRsa, accountEcdsa] = [rsaKey(), ecdsaKey(), rsaKey(), ecdsaKey()];
  const keys = [createJwk(rsa, 'k1', 'RS256'), createJwk(ecdsa, 'k2', 'ES256')];
  const remote = await startRemoteServices({ certificate: serving, ca: services.cert, keys });
  const auditLog = join(folder, 'audit.log');
  const caFile = file('services-ca.crt', services.cert);
  const tokenService = clientConfiguration({
    server: `${remote.url}/review`,
    caFile,
    certFile: file('client.crt', client.cert),
    keyFile: file('client.key', client.key),
  });
  return {
    remote,
    remoteAuthority: services.cert,
    auditLog,
    idToken(claims = {}, { lifetimeSeconds = 600, algorithm = 'RS256' } = {}) {
      const now = Math.floor(Date.now() / 1000);
      const usual = { iss: remote.url, aud: clientId, sub: 'ida', iat: now, exp: now + lifetimeSeconds };
      const signer = algorithm === 'RS256' ? { key: rsa, kid: 'k1' } : { key: ecdsa, kid: 'k2' };
      return signedToken({ ...usual, department: 'sea', ...claims }, { ...signer, algorithm });
    },
    accountToken: claims =>
      signedToken(claims, { key: accountRsa, kid: keyIdFromKey(accountRsa), algorithm: 'RS256' }),
    proxyCertificate: commonName =>
      issueCertificate(proxies, { commonName, usages: ['client'], validDays: days }),
    flags: {
      'runtime-config': 'authentication.cluster.io/v1alpha1=true',
      'enable-bootstrap-token-auth': 'true',
      'authentication-token-webhook-config-file': file('token-service.yaml', tokenService),
      'service-account-signing-key-file': file('accounts.key', createPem(accountEcdsa)),
      'service-account-key-file': file('accounts.pub', publicPem(accountRsa) + publicPem(accountEcdsa)),
      'oidc-issuer-url': remote.url,
      'oidc-client-id': clientId,
      'oidc-ca-file': caFile,
      'oidc-groups-claim': 'groups',
      'oidc-groups-prefix': 'oidc:',
      'oidc-required-claim': 'department=sea',
      'requestheader-client-ca-file': file('proxies.crt', proxies.cert),
      'requestheader-username-headers': 'X-First-User,X-Remote-User',
      'requestheader-group-headers': 'X-Remote-Group',
      'requestheader-extra-headers-prefix': 'X-Remote-Extra-',
      'requestheader-allowed-names': 'front-proxy',
      'admission-control-config-file': admissionConfiguration(remote.url, client, file),
      'audit-policy-file': file('audit-policy.yaml', auditPolicy),
      'audit-log-path': auditLog,
      'audit-log-mode': 'blocking',
    },
  };
}

function rsaKey(): KeyObject {
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
}

function ecdsaKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}

function createJwk(key: KeyObject, kid: string, alg: TokenAlgorithm): JsonObject {
  const { kty, n, e, crv, x, y } = createPublicKey(key).export({ format: 'jwk' });
  return { use: 'sig', kid, alg, ...(kty === 'RSA' ? { kty, n, e } : { kty, crv, x, y }) } as JsonObject; // Texts all.
}

function createPem(key: KeyObject): string {
  return String(key.export({ type: 'pkcs8', format: 'pem' }));
}

function publicPem(key: KeyObject): string {
  return String(createPublicKey(key).export({ type: 'spki', format: 'pem' }));
}

/** Three users for webhooks: one by the address, one by a wildcard of services, and one for all others. */
function admissionConfiguration(
  url: string,
  { cert, key }: Certificate,
  file: (name: string, text: string) => string,
): string {
  const { port } = new URL(url);
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const certified = { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) };
  const users = [
    { name: `127.0.0.1:${port}`, user: { token: 'hook-token' } },
    { name: `*.${hookNamespace}.svc:${port}`, user: { username: 'hook-user', password: 'hook-password' } },
    { name: '*', user: certified },
  ];
  const configuration = {
    apiVersion: 'apiserver.config.cluster.io/v1',
    kind: 'WebhookAdmissionConfiguration',
    kubeConfigFile: file('hooks.yaml', JSON.stringify({ apiVersion: 'v1', kind: 'Config', users })),
  };
  return file(
    'admission.yaml',
    JSON.stringify({
      apiVersion: 'apiserver.config.cluster.io/v1',
      kind: 'AdmissionConfiguration',
      plugins: [{ name: 'MutatingAdmissionWebhook', configuration }],
    }),
  );
}

const auditPolicy = `apiVersion: audit.cluster.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: RequestResponse
  resources: [{ group: "", resources: [configmaps] }]
- level: Metadata
`;

interface ServiceAccess {
  readonly server: string;
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

function clientConfiguration({ server, caFile, certFile, keyFile }: ServiceAccess): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'remote', cluster: { server, 'certificate-authority': caFile } }],
    users: [{ name: 'api', user: { 'client-certificate': certFile, 'client-key': keyFile } }],
    contexts: [{ name: 'remote', context: { cluster: 'remote', user: 'api' } }],
    'current-context': 'remote',
  });
}
