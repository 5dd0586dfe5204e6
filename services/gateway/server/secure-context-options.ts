import { constants } from 'node:crypto';
import type { SecureContextOptions } from 'node:tls';
import { certificateChain } from './certificate-chain.ts';
import type { ServingTls } from './create-server.ts';

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

/** How connections are secured with these certificates: TLS 1.2 or later, ciphers in the server's order. */
export function secureContextOptions({ cert, key, clientCa }: ServingTls): SecureContextOptions {
  return {
    cert: clientCa === undefined ? cert : certificateChain(cert, clientCa),
    key,
    ciphers,
    honorCipherOrder: true,
    minVersion: 'TLSv1.2',
    // In TLS 1.2 a client could have the handshake, the dear part of a connection, done again and again.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    ...(clientCa === undefined ? {} : { ca: clientCa }),
  };
}
