import { generateKeyPair } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Refusal } from '@binnacle/backend-access';
import {
  type CertificateRequest,
  type IssuedCertificate,
  issueAuthority,
  issueCertificate,
  type KeyType,
} from './issue-certificate.ts';
import { isUsablePair, readPair, readText, writeAtomically, writePair } from './pki-files.ts';

const generateKeyPairAsync = promisify(generateKeyPair);

/** An API client that gets a certificate. */
interface PkiClient {
  /** Name of its directory: `clients/<name>`. */
  readonly name: string;
  /** User name. */
  readonly commonName: string;
  /** Groups of the user. */
  readonly organizations?: readonly string[];
  /** Default: EC (P-256). */
  readonly keyType?: KeyType;
}

/** A backend with mutual TLS, under its own certificate authority. */
export interface PkiBackend {
  /** Common name and DNS name of its server: `etcd`, `kafka`, `redis`. */
  readonly name: string;
  /** Further DNS names, for the members of a cluster: `etcd-1`. */
  readonly members?: readonly string[];
  /** Clients that get a certificate: the name of the directory, and the common name that the backend sees. */
  readonly clients: readonly { readonly name: string; readonly commonName: string }[];
}

/** The subjects that get certificates. */
export interface PkiNames {
  /** DNS names and addresses of the API server besides `localhost`, `127.0.0.1` and `::1`. */
  readonly serverNames?: readonly string[];
  readonly clients?: readonly PkiClient[];
  /** Services that call each other; each one's name is also a DNS name of its certificate. */
  readonly services?: readonly string[];
  /** DNS names and addresses in the certificate of every service, besides its own name and the local ones. */
  readonly serviceNames?: readonly string[];
  readonly backends?: readonly PkiBackend[];
}

/**
 * The paths of the files of a local public key infrastructure.
 *
 * It has separate authorities that do not trust each other: one for the API (server and clients), one for calls between
 * services, one for each backend; a certificate of one is not valid for another. Every directory holds `ca.crt`,
 * `tls.crt` and `tls.key`, as `loadTls` reads them.
 */
export interface Pki {
  /** Certificate of the API's authority. */
  readonly caFile: string;
  /** Directory of the API server's certificate. */
  readonly serverDirectory: string;
  /** Directory of an API client's certificate. */
  clientDirectory(name: string): string;
  /** Directory of a service's certificate for calls between services. */
  serviceDirectory(name: string): string;
  /** Directory of a backend server's certificate; it is also valid as a client certificate, for health checks of the backend. */
  backendServerDirectory(backend: string): string;
  /** Directory of the certificate of a backend's client. */
  backendClientDirectory(backend: string, client: string): string;
  /** Private 2048-bit RSA key (PKCS #8) that signs service-account tokens. */
  readonly serviceAccountKeyFile: string;
  /** The public key that verifies these tokens. */
  readonly serviceAccountPublicKeyFile: string;
}

const localNames = ['localhost', '127.0.0.1', '::1'];
const dayMs = 24 * 3600_000;
const authorityDays = 3650;
const certificateDays = 365;

/** Returns the paths of a public key infrastructure, without accessing the files. */
export function pkiPaths(directory: string): Pki {
  return {
    caFile: join(directory, 'ca.crt'),
    serverDirectory: join(directory, 'server'),
    clientDirectory: name => join(directory, 'clients', name),
    serviceDirectory: name => join(directory, 'services', name),
    backendServerDirectory: backend => join(directory, 'backends', backend, 'server'),
    backendClientDirectory: (backend, client) => join(directory, 'backends', backend, client),
    serviceAccountKeyFile: join(directory, 'service-account.key'),
    serviceAccountPublicKeyFile: join(directory, 'service-account.pub'),
  };
}

/**
 * Creates the missing files of a public key infrastructure in a directory.
 *
 * A certificate is reused while it matches its names, its authority and its key, and is valid for at least 7 more days;
 * an authority while it is valid for at least 365 more days. Private keys are readable only by their owner.
 *
 * Rejects with a Refusal where the key of an authority is missing or another one: clients would not know a new authority.
 */
export async function createPki(directory: string, names: PkiNames = {}): Promise<Pki> {
  const pki = pkiPaths(directory);
  const [api, services] = await Promise.all([
    authority(pki.caFile, join(directory, 'ca.key'), 'binnacle-ca'),
    authority(join(directory, 'services-ca.crt'), join(directory, 'services-ca.key'), 'binnacle-services-ca'),
    serviceAccountKey(pki),
  ]);
  await Promise.all([
    certificate(pki.serverDirectory, api, {
      commonName: 'binnacle-gateway',
      names: [...localNames, ...(names.serverNames ?? [])],
      usages: ['server'],
    }),
    ...(names.clients ?? []).map(({ name, commonName, organizations = [], keyType }) =>
      certificate(pki.clientDirectory(name), api, { commonName, organizations, usages: ['client'], keyType }),
    ),
    ...(names.services ?? []).map(service =>
      certificate(pki.serviceDirectory(service), services, {
        commonName: service,
        names: [...localNames, service, ...(names.serviceNames ?? [])],
        usages: ['server', 'client'],
      }),
    ),
    ...(names.backends ?? []).map(backend => backendCertificates(directory, pki, backend)),
  ]);
  return pki;
}

async function backendCertificates(
  directory: string,
  pki: Pki,
  { name, members = [], clients }: PkiBackend,
): Promise<void> {
  const [certFile, keyFile] = [join(directory, `${name}-ca.crt`), join(directory, `${name}-ca.key`)];
  const issuer = await authority(certFile, keyFile, `binnacle-${name}-ca`);
  await Promise.all([
    certificate(pki.backendServerDirectory(name), issuer, {
      commonName: name,
      names: [...localNames, name, ...members],
      usages: ['server', 'client'],
    }),
    ...clients.map(client =>
      certificate(pki.backendClientDirectory(name, client.name), issuer, {
        commonName: client.commonName,
        usages: ['client'],
      }),
    ),
  ]);
}

async function authority(certFile: string, keyFile: string, commonName: string): Promise<IssuedCertificate> {
  const present = await readPair(certFile, keyFile);
  if (present && isUsablePair(present, { renewBeforeMs: certificateDays * dayMs })) return present;
  const isWhole =
    present === undefined ? !(await readText(certFile)) : isUsablePair(present, { renewBeforeMs: -Infinity });
  if (!isWhole)
    throw new Refusal(
      `${keyFile} is not the key of ${certFile}: put the right one back, or remove both files for a new authority, whose certificates clients do not know yet`,
    );
  const pair = await issueAuthority(commonName, authorityDays);
  await writePair(certFile, keyFile, pair);
  return pair;
}

async function certificate(
  directory: string,
  issuer: IssuedCertificate,
  request: Omit<CertificateRequest, 'validDays'>,
): Promise<void> {
  const [certFile, keyFile, caFile] = [
    join(directory, 'tls.crt'),
    join(directory, 'tls.key'),
    join(directory, 'ca.crt'),
  ];
  const distinct = { ...request, names: [...new Set(request.names ?? [])] };
  const present = await readPair(certFile, keyFile);
  const expectation = { ...distinct, authority: issuer.cert, renewBeforeMs: 7 * dayMs };
  if (!present || !isUsablePair(present, expectation)) {
    const pair = await issueCertificate(issuer, { ...distinct, validDays: certificateDays });
    await writePair(certFile, keyFile, pair);
  }
  if ((await readText(caFile)) !== issuer.cert) await writeAtomically(caFile, issuer.cert, 0o644);
}

async function serviceAccountKey(pki: Pki): Promise<void> {
  const [privateKey, publicKey] = await Promise.all([
    readText(pki.serviceAccountKeyFile),
    readText(pki.serviceAccountPublicKeyFile),
  ]);
  if (privateKey !== undefined && publicKey !== undefined) return;
  // RS256 is the one algorithm that every verifier of such tokens supports.
  const pair = await generateKeyPairAsync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  await writeAtomically(pki.serviceAccountKeyFile, pair.privateKey);
  await writeAtomically(pki.serviceAccountPublicKeyFile, pair.publicKey, 0o644);
}
