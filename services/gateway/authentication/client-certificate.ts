import type { Socket } from 'node:net';
import { type PeerCertificate, TLSSocket } from 'node:tls';
import type { User } from '../request/api-request.ts';
import type { CertificateCredential } from '../request/credential.ts';
import { authenticated } from '../request/users.ts';

/** Whom a client certificate that verified names, and until when. */
interface CertifiedUser {
  readonly user: User;
  /** TLS looked at the dates when the connection began, so a later request compares the time. */
  readonly credential: CertificateCredential;
}

/** What a connection's certificate says of its holder: a user, nothing, or that it is not to be trusted. */
type Verdict = CertifiedUser | 'none' | 'untrusted';

const verdicts = new WeakMap<Socket, Verdict>();

/**
 * What certificates that verified said, by their SHA-256: a client comes with the same one on each connection, and
 * to read it as a whole is an eighth of what a new connection costs.
 */
const readBefore = new Map<string, CertifiedUser | 'untrusted'>();
const maxReadBefore = 1000;

/**
 * The user that a client certificate names: its common name, with its organisations as groups. `none` without a
 * certificate, `untrusted` for one that does not verify or names no user. Worked out once a connection.
 */
export function clientCertificateVerdict(socket: Socket): Verdict {
  let verdict = verdicts.get(socket);
  if (verdict === undefined) {
    verdict = verdictOn(socket);
    verdicts.set(socket, verdict);
  }
  return verdict;
}

function verdictOn(socket: Socket): Verdict {
  if (!(socket instanceof TLSSocket)) return 'none';
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) return 'none';
  if (!socket.authorized) return 'untrusted';
  const { fingerprint256 } = certificate;
  let named = readBefore.get(fingerprint256);
  if (named === undefined) {
    named = certifiedUser(socket.getPeerCertificate().subject, certificate.validToDate);
    if (readBefore.size >= maxReadBefore) readBefore.clear();
    readBefore.set(fingerprint256, named);
  }
  return named;
}

function certifiedUser(subject: PeerCertificate['subject'], expires: Date): CertifiedUser | 'untrusted' {
  const user = userFromSubject(subject);
  if (user === 'untrusted') return user;
  return { user, credential: { kind: 'certificate', expiresAt: expires.getTime() } };
}

/** The user that the subject of a verified certificate names; without a common name it names none. */
function userFromSubject(subject: PeerCertificate['subject']): User | 'untrusted' {
  const username = textsOf(subject.CN)[0] ?? '';
  if (username === '') return 'untrusted';
  return authenticated({ username, uid: '', groups: textsOf(subject.O), extra: {} });
}

/** Node gives several values of one attribute as an array, a single one as a text. */
function textsOf(value: string | string[] | undefined): string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
