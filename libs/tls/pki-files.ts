import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { isIP } from 'node:net';
import { dirname } from 'node:path';
import type { IssuedCertificate, KeyType } from './issue-certificate.ts';

/** Writes a file atomically; only the owner can read it unless `mode` allows more. */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array,
  mode = 0o600,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Reads a certificate and its key; undefined if either is missing. */
export async function readPair(certFile: string, keyFile: string): Promise<IssuedCertificate | undefined> {
  const [cert, key] = await Promise.all([readText(certFile), readText(keyFile)]);
  if (cert === undefined || key === undefined) return undefined;
  await chmod(keyFile, 0o600);
  return { cert, key };
}

/** Writes a key and then its certificate, so that a certificate never exists without its key. */
export async function writePair(certFile: string, keyFile: string, pair: IssuedCertificate): Promise<void> {
  await writeAtomically(keyFile, pair.key);
  await writeAtomically(certFile, pair.cert, 0o644);
}

/** Reads a text file; undefined if it does not exist. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The conditions under which a certificate on disk is reused. */
interface PairExpectation {
  /** Certificate of the authority, in PEM; default: the certificate itself. */
  readonly authority?: string;
  readonly commonName?: string;
  readonly organizations?: readonly string[];
  readonly names?: readonly string[];
  /** Default: any. */
  readonly keyType?: KeyType | undefined;
  /** Remaining validity below which a certificate is replaced, in ms. */
  readonly renewBeforeMs: number;
}

/** Whether a certificate matches its key and the expectation, and is valid for long enough. */
export function isUsablePair(pair: IssuedCertificate, expectation: PairExpectation): boolean {
  try {
    const certificate = new X509Certificate(pair.cert);
    const authority = new X509Certificate(expectation.authority ?? pair.cert);
    const key = createPrivateKey(pair.key);
    const { keyType } = expectation;
    return (
      Date.parse(certificate.validTo) - Date.now() > expectation.renewBeforeMs &&
      certificate.checkPrivateKey(key) &&
      (keyType === undefined || key.asymmetricKeyType === keyType.toLowerCase()) &&
      certificate.verify(authority.publicKey) &&
      (expectation.names ?? []).every(name => holdsName(certificate, name)) &&
      hasSubject(certificate, expectation)
    );
  } catch {
    return false;
  }
}

function holdsName(certificate: X509Certificate, name: string): boolean {
  const found = isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name);
  return found !== undefined;
}

function hasSubject(
  certificate: X509Certificate,
  { commonName, organizations = [] }: PairExpectation,
): boolean {
  const subject = certificate.toLegacyObject().subject as { CN?: string | string[]; O?: string | string[] };
  const groups = [subject.O ?? []].flat();
  return (
    (commonName === undefined || subject.CN === commonName) &&
    organizations.every(name => groups.includes(name))
  );
}
