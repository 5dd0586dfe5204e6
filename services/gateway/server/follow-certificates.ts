import type { Server as HttpServer } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { Logger } from '@binnacle/telemetry';
import { type ServingTls, secureContextOptions } from './secure-context-options.ts';

/** The source of certificates while the server runs. */
interface CertificateSource {
  /** The certificates that the server has now. */
  readonly current: ServingTls;
  /** Reads the certificates again. */
  readonly read: () => Promise<ServingTls>;
  /** Called with the certificates that the server has applied. */
  readonly onApplied?: (tls: ServingTls) => void;
  /** Milliseconds between two checks. */
  readonly everyMs: number;
}

/**
 * Applies new certificates, and new authorities of client certificates, without a restart: connections that begin
 * later have them, and no session of an earlier one is resumed. Files that cannot be read, or do not match, are logged
 * once and change nothing.
 */
export function followCertificates(
  server: HttpServer,
  source: CertificateSource,
  logger: Logger,
): Disposable {
  let current = source.current;
  let complaint = '';
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      const read = await source.read();
      if (isSame(read, current)) return;
      applyTls(server, read);
      current = read;
      source.onApplied?.(read);
      complaint = '';
      logger.info('new certificates are served');
    } catch (error) {
      const text = String(error);
      if (text !== complaint) logger.error('cannot use new certificates, keeping the old ones', { error });
      complaint = text;
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(() => void look(), source.everyMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Applies certificates to a server; throws, and changes nothing, when the certificate and the key do not match. */
function applyTls(server: HttpServer, tls: ServingTls): void {
  if (!(server instanceof HttpsServer)) throw new TypeError('a server without TLS has no certificates');
  const context = secureContextOptions(tls);
  createSecureContext(context);
  server.setSecureContext(context);
}

function isSame(a: ServingTls, b: ServingTls): boolean {
  const text = ({ cert, key, clientCa = '', proxyCa = '' }: ServingTls) =>
    [cert, key, clientCa, proxyCa].map(String).join('\0');
  return text(a) === text(b);
}
