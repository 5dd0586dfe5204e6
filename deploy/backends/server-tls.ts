import { readFileSync } from 'node:fs';

/** The TLS files of a backend server. The authority signs clients as well, and clients must show a certificate. */
export interface ServerTls {
  /** PEM file of the certificate authority of the server and its clients. */
  readonly caFile: string;
  /** PEM file of the server's certificate, which serves as a client certificate for questions about its health. */
  readonly certFile: string;
  readonly keyFile: string;
}

/** The options of a TLS connection: the contents of the files. */
export function readServerTls({ caFile, certFile, keyFile }: ServerTls) {
  return { ca: readFileSync(caFile), cert: readFileSync(certFile), key: readFileSync(keyFile) };
}
