import type { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { type PeerCertificate, TLSSocket } from 'node:tls';
import { BoundedMap } from '@binnacle/event-loop';
import type { User } from '../request/api-request.ts';
import { authenticated } from '../request/users.ts';
import { certificatesIn, pathToAuthority } from './certificate-path.ts';
import { certificatesShownWith } from './shown-certificates.ts';

/** The authorities of client certificates, in PEM. */
export interface ClientAuthorities {
  /** Authorities of users; without them no certificate names a user. */
  readonly clientCa?: string | Buffer | undefined;
  /** Authorities of authenticating proxies; without them no certificate is that of a proxy. */
  readonly proxyCa?: string | Buffer | undefined;
}

/** Times at which a certificate expires, in ms since 1970: TLS checks them only when a connection begins. */
interface Expiries {
  /** Expiry as a user's certificate; undefined when no authority of users issued it. */
  readonly user: number | undefined;
  /** Expiry as a proxy's certificate; undefined when no authority of proxies issued it. */
  readonly proxy: number | undefined;
}

/** The holder of a client certificate that verified. */
interface CertificateHolder {
  /** Undefined when the certificate is not that of a user, or names no user. */
  readonly user: { readonly user: User; readonly expiresAt: number } | undefined;
  /** Undefined when the certificate is not that of a proxy. */
  readonly proxy: { readonly commonName: string; readonly expiresAt: number } | undefined;
}

/** The verdict on a connection's certificate: a holder, none, or untrusted. */
type Verdict = CertificateHolder | 'none' | 'untrusted';

/** Cached results, valid while the authorities stay the same. */
interface CertificateCache {
  readonly users: readonly X509Certificate[];
  readonly proxies: readonly X509Certificate[];
  /**
   * Holders of verified certificates, by the SHA-256 of all certificates that the client sent: a client sends the same
   * ones on each connection, and reading one takes an eighth of the cost of a new connection.
   */
  readonly holders: BoundedMap<string, CertificateHolder>;
}

/** Options of a verdict. */
interface VerdictOptions {
  readonly authorities: ClientAuthorities;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

const verdicts = new WeakMap<Socket, Verdict>();
const caches = new WeakMap<ClientAuthorities, CertificateCache>();
const maxHolders = 1000;

/**
 * The verdict on the client certificate of a connection: `none` without one, `untrusted` for one that does not verify.
 * It is computed once a connection, with the authorities of that time. A certificate of a proxy's authority names no
 * user, and that of a user's authority is no proxy's.
 */
export function clientCertificateVerdict(socket: Socket, options: VerdictOptions): Verdict {
  let verdict = verdicts.get(socket);
  if (verdict === undefined) {
    verdict = verdictOn(socket, options);
    verdicts.set(socket, verdict);
  }
  return verdict;
}

function verdictOn(socket: Socket, { authorities, clock }: VerdictOptions): Verdict {
  if (!(socket instanceof TLSSocket)) return 'none';
  const shown = certificatesShownWith(socket);
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) return 'none';
  if (!socket.authorized) return 'untrusted';
  const cache = getCache(authorities);
  const key = [certificate, ...shown].map(({ fingerprint256 }) => fingerprint256).join();
  let holder = cache.holders.get(key);
  if (holder === undefined) {
    // TLS has checked the certificate against all authorities in one list. With one kind of authority there is
    // nothing more to find out.
    const expiries =
      authorities.proxyCa === undefined
        ? { user: certificate.validToDate.getTime(), proxy: undefined }
        : findExpiries({ certificate, shown, now: clock() }, cache);
    holder = createHolder(socket.getPeerCertificate().subject, expiries);
    cache.holders.set(key, holder);
  }
  return holder;
}

function getCache(authorities: ClientAuthorities): CertificateCache {
  let cache = caches.get(authorities);
  if (cache === undefined) {
    const { clientCa = '', proxyCa = '' } = authorities;
    cache = {
      users: certificatesIn(clientCa),
      proxies: certificatesIn(proxyCa),
      holders: new BoundedMap(maxHolders),
    };
    caches.set(authorities, cache);
  }
  return cache;
}

interface Shown {
  readonly certificate: X509Certificate;
  readonly shown: readonly X509Certificate[];
  readonly now: number;
}

function findExpiries(found: Shown, { users, proxies }: CertificateCache): Expiries {
  const expiryBelow = (authorities: readonly X509Certificate[]): number | undefined => {
    const path = pathToAuthority({ ...found, authorities });
    return path && Math.min(...path.map(({ validToDate }) => validToDate.getTime()));
  };
  return { user: expiryBelow(users), proxy: expiryBelow(proxies) };
}

function createHolder(
  subject: PeerCertificate['subject'],
  { user: userUntil, proxy }: Expiries,
): CertificateHolder {
  const commonName = textsFromValue(subject.CN)[0] ?? '';
  const user = authenticated({ username: commonName, uid: '', groups: textsFromValue(subject.O), extra: {} });
  return {
    // Without a common name a certificate names no user.
    user: userUntil === undefined || commonName === '' ? undefined : { user, expiresAt: userUntil },
    proxy: proxy === undefined ? undefined : { commonName, expiresAt: proxy },
  };
}

/** Node gives several values of one attribute as an array, a single one as a text. */
function textsFromValue(value: string | string[] | undefined): string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
