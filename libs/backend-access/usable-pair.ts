import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';

/** Certificates and a private key in PEM, as a connection uses them. */
interface TlsPair {
  readonly ca?: string | Buffer | undefined;
  /** The certificate of the key, and those that lead from it to an authority. */
  readonly cert?: string | Buffer | undefined;
  readonly key?: string | Buffer | undefined;
}

/** Throws an Error unless TLS connections can use the certificates, and the key is that of the first one. */
export function assertUsablePair({ ca, cert, key }: TlsPair): void {
  // OpenSSL accepts a key of another type than that of the certificate, and has no certificate for it in handshakes.
  if (cert && key && !readCertificate(cert).checkPrivateKey(readKey(key)))
    throw new Error('the key is not that of the certificate');
  createSecureContext({ ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) });
}

function readCertificate(pem: string | Buffer): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw new Error('the certificate is not one in PEM', { cause });
  }
}

function readKey(pem: string | Buffer): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw new Error('the key is not a private key in PEM without a passphrase', { cause });
  }
}
