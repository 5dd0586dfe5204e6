import { connect } from 'node:tls';

/** Error codes of failed handshakes in Node and OpenSSL, and messages of libraries that drop the code. */
const tlsFailures =
  /ERR_SSL|ERR_TLS|EPROTO|SSL routines|SSL alert|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|CERT_|verify the first certificate|self-signed certificate|unable to get (?:local )?issuer|certificate (?:has expired|is not yet valid|signature failure)|does not match certificate's altnames/i;

/** Whether a connection failed in its TLS handshake, by the code of the error, or its message if a library dropped the code. */
export function isTlsFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return tlsFailures.test(code) || tlsFailures.test(error.message);
}

/** The address on which a backend listens. */
export interface BackendAddress {
  readonly host: string;
  readonly port: number;
}

/** Timeout of the answer to a ClientHello, in ms. */
const answerTimeoutMs = 1000;

/**
 * Whether a server answers a TLS ClientHello, with any certificate: it shows that a server which just closed a plaintext
 * connection requires TLS. Sends nothing else; false if nothing answers.
 */
export function speaksTls({ host, port }: BackendAddress): Promise<boolean> {
  return new Promise(resolve => {
    // The certificate is not verified, because nothing is sent.
    const socket = connect({ host, port, rejectUnauthorized: false, timeout: answerTimeoutMs });
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('secureConnect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('close', () => end(false));
    // An alert is a TLS answer too; "wrong version number" is not.
    socket.once('error', error => end(/alert/i.test(error.message)));
  });
}
