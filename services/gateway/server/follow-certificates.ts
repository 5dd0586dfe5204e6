import type { Server as HttpServer } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { Logger } from '@binnacle/telemetry';
import { type ServingTls, secureContextOptions } from './secure-context-options.ts';

/** Where certificates come from once the server runs. */
interface CertificateSource {
  /** The certificates of the server at the moment. */
  readonly current: ServingTls;
  /** Reads them anew. */
  readonly read: () => Promise<ServingTls>;
  /** Hears of those that the server has taken on. */
  readonly onTaken?: (tls: ServingTls) => void;
  /** Milliseconds between two looks. */
  readonly everyMs: number;
}

/**
 * Takes on new certificates, and new authorities of client certificates, without a restart: connections that begin
 * later have them, and no session of an earlier one is resumed. What cannot be read, or does not fit together, is logged once
 * and leaves things as they are.
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
      takeOn(server, read);
      current = read;
      source.onTaken?.(read);
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

/** Throws, and changes nothing, when the certificate and the key do not fit together. */
function takeOn(server: HttpServer, tls: ServingTls): void {
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
