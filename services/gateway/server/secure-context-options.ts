import { constants, X509Certificate } from 'node:crypto';
import type { SecureContextOptions } from 'node:tls';
import { pemCertificates } from '@binnacle/tls';
import type { ClientAuthorities } from '../authentication/client-certificate.ts';

/** Certificate and key of the server, PEM, and the authorities of client certificates; without any, none are asked for. */
export interface ServingTls extends ClientAuthorities {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

/**
 * Ciphers in the order of preference: authenticated ones with forward secrecy only. AES-128 stands first, as with
 * kube-apiserver: a list of megabytes is encrypted in seven eighths of the time that AES-256 takes.
 */
const ciphers = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

/** All authorities of client certificates in one text, for TLS knows one list of them; undefined without any. */
export function joinAuthorities({ clientCa, proxyCa }: ServingTls): string | Buffer | undefined {
  if (clientCa === undefined || proxyCa === undefined) return clientCa ?? proxyCa;
  return `${clientCa}\n${proxyCa}`;
}

/** The TLS options of connections with these certificates: TLS 1.2 or later, ciphers in the server's order. */
export function secureContextOptions(tls: ServingTls): SecureContextOptions {
  const { cert, key, proxyCa } = tls;
  const authorities = joinAuthorities(tls);
  return {
    cert: authorities === undefined ? cert : certificateChain(cert, authorities),
    key,
    ciphers,
    honorCipherOrder: true,
    minVersion: 'TLSv1.2',
    secureOptions:
      // In TLS 1.2 a client could have the handshake, the expensive part of a connection, done again and again.
      constants.SSL_OP_NO_RENEGOTIATION |
      // A session that is resumed does not have the chain of the client, which says whether it is a proxy.
      (proxyCa === undefined ? 0 : constants.SSL_OP_NO_TICKET),
    ...(authorities === undefined ? {} : { ca: authorities }),
  };
}

/**
 * A serving certificate followed by those of its issuers that are among these authorities, in PEM.
 *
 * OpenSSL looks for the issuers of a certificate that stands alone, among the authorities of clients, and shows them too;
 * but it does so in each handshake, and verifies the signatures again: a fifth of the processor time of a handshake. A text with
 * several certificates is taken as it is; so is one that cannot be read, which is reported where it is used.
 */
export function certificateChain(cert: string | Buffer, authorities: string | Buffer): string | Buffer {
  const shown = pemCertificates(cert);
  const [first] = shown;
  if (first === undefined || shown.length > 1) return cert;
  const chain = [first];
  let last = first;
  while (!isIssuedBy(last, last)) {
    const issuer = pemCertificates(authorities).find(text => !chain.includes(text) && isIssuedBy(last, text));
    if (issuer === undefined) break;
    chain.push(issuer);
    last = issuer;
  }
  return chain.length === 1 ? cert : chain.map(text => `${text}\n`).join('');
}

/** Whether the key of the second certificate signed the first one; not so when either cannot be read, or its kind of key. */
function isIssuedBy(text: string, issuerText: string): boolean {
  try {
    const [certificate, issuer] = [new X509Certificate(text), new X509Certificate(issuerText)];
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    return false;
  }
}
