import type { Server } from 'node:http';
import type { Logger } from '@binnacle/telemetry';
import type { ClientAuthorities } from '../authentication/client-certificate.ts';
import { followCertificates } from './follow-certificates.ts';
import type { ServingTls } from './secure-context-options.ts';

/** The source of a server's certificates. */
interface TlsSource {
  /** False: the server speaks plain HTTP. */
  readonly tls: ServingTls | false;
  /** Reads the certificates again; undefined: they do not change. */
  readonly readTls?: () => Promise<ServingTls | false>;
}

/** The certificates and authorities that a server has now. */
export interface FollowedTls {
  /** The authorities of client certificates. */
  authorities(): ClientAuthorities;
  /** Checks for changed certificates until disposed of, every `everyMs` milliseconds; 0: never. */
  follow(server: Server, everyMs: number, logger: Logger): Disposable | undefined;
}

const noAuthorities: ClientAuthorities = {};

/** Keeps the certificates of a server in step with their source. */
export function createFollowedTls({ tls, readTls }: TlsSource): FollowedTls {
  let serving = tls;
  return {
    authorities: () => (serving === false ? noAuthorities : serving),
    follow(server, everyMs, logger) {
      if (tls === false || readTls === undefined || everyMs === 0) return undefined;
      const read = async () => {
        const found = await readTls();
        if (found === false) throw new Error('there are no certificates any more');
        return found;
      };
      const onApplied = (taken: ServingTls) => {
        serving = taken;
      };
      return followCertificates(server, { current: tls, read, everyMs, onApplied }, logger);
    },
  };
}
