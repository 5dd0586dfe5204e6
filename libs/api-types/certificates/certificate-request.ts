import { createPublicKey, X509Certificate } from 'node:crypto';
import { derTag, readAllDer } from './der.ts';
import { readPem } from './pem.ts';

/**
 * Returns the fault of a PKCS#10 certificate request in PEM form; undefined if it is valid. Validates the structure and the
 * public key; the signer verifies the signature.
 */
export function certificateRequestFault(pem: Buffer): string | undefined {
  const [block] = readPem(pem.toString('latin1')) ?? [];
  if (block?.label !== 'CERTIFICATE REQUEST') return 'must be a PEM block of type CERTIFICATE REQUEST';
  const [request, ...more] = readAllDer(block.bytes, 2) ?? [];
  const [info, algorithm, signature] = (request && readAllDer(request.content, 3)) ?? [];
  const isRequest =
    more.length === 0 &&
    request?.tag === derTag.sequence &&
    info?.tag === derTag.sequence &&
    algorithm?.tag === derTag.sequence &&
    signature?.tag === derTag.bitString;
  if (!isRequest) return 'is not a certificate request';
  const [version, subject, publicKey] = readAllDer(info.content, 4) ?? [];
  if (version?.tag !== derTag.integer || subject?.tag !== derTag.sequence || publicKey === undefined)
    return 'is not a certificate request';
  return isPublicKey(publicKey.whole) ? undefined : 'holds no public key that can be read';
}

/** Returns the fault of a certificate chain in PEM form; undefined if it is valid. */
export function certificateChainFault(pem: Buffer): string | undefined {
  const blocks = readPem(pem.toString('latin1'));
  if (!blocks || blocks.length === 0) return 'must contain at least one PEM block';
  if (blocks.some(({ label }) => label !== 'CERTIFICATE'))
    return 'may hold PEM blocks of type CERTIFICATE only';
  if (blocks.some(({ hasHeaders }) => hasHeaders)) return 'may not hold PEM blocks with headers';
  return blocks.every(({ bytes }) => isCertificate(bytes))
    ? undefined
    : 'has a block that is not a certificate';
}

function isPublicKey(der: Buffer): boolean {
  try {
    createPublicKey({ key: der, format: 'der', type: 'spki' });
    return true;
  } catch {
    return false;
  }
}

function isCertificate(der: Buffer): boolean {
  try {
    new X509Certificate(der);
    return true;
  } catch {
    return false;
  }
}
