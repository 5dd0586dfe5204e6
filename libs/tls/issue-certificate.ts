import { webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import type { JsonName } from '@peculiar/x509';
import { installMetadataReflection } from './metadata-reflection.ts';

/** A certificate and its private key, in PEM. */
export interface IssuedCertificate {
  readonly cert: string;
  readonly key: string;
}

/** The type of a key: EC (P-256), or RSA (2048 bits) for clients that support nothing else. */
export type KeyType = 'EC' | 'RSA';

/** The content of a certificate. */
export interface CertificateRequest {
  readonly commonName: string;
  /** Groups of a client, written as organizations of the subject. */
  readonly organizations?: readonly string[];
  /** DNS names and IP addresses of a server. */
  readonly names?: readonly string[];
  readonly usages: readonly ('server' | 'client')[];
  /** Default: EC (P-256). */
  readonly keyType?: KeyType | undefined;
  readonly validDays: number;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
const rsaAlgorithm = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};
const signingAlgorithm = { name: 'ECDSA', hash: 'SHA-256' };
const dayMs = 24 * 3600_000;

/** Time by which `notBefore` lies in the past, in ms, because clocks differ. */
const backdateMs = 3600_000;

/** Creates a certificate authority: a P-256 key and a self-signed certificate. */
export async function issueAuthority(commonName: string, validDays: number): Promise<IssuedCertificate> {
  const x509 = await library();
  const keys = await createKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity(validDays),
    name: createSubject({ commonName }),
    keys,
    signingAlgorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { cert: `${certificate.toString('pem')}\n`, key: await privateKeyPem(keys.privateKey) };
}

/** Creates a key and a certificate for it, signed by the authority. */
export async function issueCertificate(
  authority: IssuedCertificate,
  request: CertificateRequest,
): Promise<IssuedCertificate> {
  const x509 = await library();
  const issuer = new x509.X509Certificate(authority.cert);
  const signingKey = await importPrivateKey(authority.key);
  const keys = await createKeys(request.keyType);
  const usages = { server: x509.ExtendedKeyUsage.serverAuth, client: x509.ExtendedKeyUsage.clientAuth };
  const names = (request.names ?? []).map(value => ({ type: isIP(value) ? 'ip' : 'dns', value }) as const);
  const certificate = await x509.X509CertificateGenerator.create({
    ...validity(request.validDays),
    subject: createSubject(request),
    issuer: issuer.subjectName.toJSON(),
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension(request.usages.map(usage => usages[usage])),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : []),
    ],
  });
  return { cert: `${certificate.toString('pem')}\n`, key: await privateKeyPem(keys.privateKey) };
}

/** Creates an intermediate authority for tests: one key, with a certificate signed by each of the given authorities. */
export async function issueIntermediates(
  authorities: readonly IssuedCertificate[],
  commonName: string,
  validDays: number,
): Promise<IssuedCertificate[]> {
  const x509 = await library();
  const keys = await createKeys();
  const key = await privateKeyPem(keys.privateKey);
  const issue = async (authority: IssuedCertificate): Promise<IssuedCertificate> => {
    const issuer = new x509.X509Certificate(authority.cert);
    const certificate = await x509.X509CertificateGenerator.create({
      ...validity(validDays),
      subject: createSubject({ commonName }),
      issuer: issuer.subjectName.toJSON(),
      publicKey: keys.publicKey,
      signingKey: await importPrivateKey(authority.key),
      signingAlgorithm,
      extensions: [
        new x509.BasicConstraintsExtension(true, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
        await x509.AuthorityKeyIdentifierExtension.create(issuer),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    return { cert: `${certificate.toString('pem')}\n`, key };
  };
  return await Promise.all(authorities.map(issue));
}

/** Loaded on first use: most processes never issue a certificate. */
async function library() {
  installMetadataReflection();
  return await import('@peculiar/x509');
}

function validity(days: number): { notBefore: Date; notAfter: Date } {
  const now = Date.now();
  return { notBefore: new Date(now - backdateMs), notAfter: new Date(now + days * dayMs) };
}

function createSubject({
  commonName,
  organizations = [],
}: Pick<CertificateRequest, 'commonName' | 'organizations'>): JsonName {
  for (const name of [commonName, ...organizations]) {
    // The library strips quotes, and parses a text that begins with # as hexadecimal.
    if (/["#]/.test(name))
      throw new TypeError(`a certificate cannot be issued for the name ${JSON.stringify(name)}`);
  }
  return [...organizations.map(organization => ({ O: [organization] })), { CN: [commonName] }];
}

async function createKeys(type: KeyType = 'EC'): Promise<webcrypto.CryptoKeyPair> {
  const chosen = type === 'RSA' ? rsaAlgorithm : algorithm;
  return await webcrypto.subtle.generateKey(chosen, true, ['sign', 'verify']);
}

async function privateKeyPem(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n');
}

async function importPrivateKey(pem: string): Promise<webcrypto.CryptoKey> {
  const der = Buffer.from(pem.replaceAll(/-----[A-Z ]+-----|\s/g, ''), 'base64');
  return await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']);
}
