import { connect } from 'node:tls';

/** Codes that Node and OpenSSL give to handshakes that fail, and the texts of libraries that keep no code. */
const tlsFailures =
  /ERR_SSL|ERR_TLS|EPROTO|SSL routines|SSL alert|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|CERT_|verify the first certificate|self-signed certificate|unable to get (?:local )?issuer|certificate (?:has expired|is not yet valid|signature failure)|does not match certificate's altnames/i;

/** Whether a connection failed in its TLS handshake, by the code or, where a library keeps none, the text of the error. */
export function isTlsFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return tlsFailures.test(code) || tlsFailures.test(error.message);
}

/** Where a backend listens. */
export interface BackendAddress {
  readonly host: string;
  readonly port: number;
}

/** Milliseconds that a server may take to answer a TLS greeting. */
const answerTimeoutMs = 1000;

/**
 * Whether a server answers a TLS greeting, whatever its certificate: it tells a plaintext client, whose connection just
 * ends, that the server wants TLS. Sends nothing besides the greeting; false when nothing answers.
 */
export function speaksTls({ host, port }: BackendAddress): Promise<boolean> {
  return new Promise(resolve => {
    // The certificate is not looked at, for nothing is sent.
    const socket = connect({ host, port, rejectUnauthorized: false, timeout: answerTimeoutMs });
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('secureConnect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('close', () => end(false));
    // An alert is an answer in TLS as well; "wrong version number" is one that is not.
    socket.once('error', error => end(/alert/i.test(error.message)));
  });
}
