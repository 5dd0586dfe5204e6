import type { Socket } from 'node:net';
import { type PeerCertificate, TLSSocket } from 'node:tls';
import type { User } from '../pipeline/api-request.ts';
import { authenticated } from './users.ts';

/** What a connection's certificate says of its holder: a user, nothing, or that it is not to be trusted. */
export type Verdict = User | 'none' | 'untrusted';

const verdicts = new WeakMap<Socket, Verdict>();

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
  const certificate = socket.getPeerCertificate();
  // Node gives null, or an object without fields, for a client that sent none.
  if (!certificate?.subject) return 'none';
  if (!socket.authorized) return 'untrusted';
  return userFromSubject(certificate.subject);
}

/** The user that the subject of a verified certificate names; without a common name it names nobody. */
export function userFromSubject(subject: PeerCertificate['subject']): User | 'untrusted' {
  const username = textsOf(subject.CN)[0] ?? '';
  if (username === '') return 'untrusted';
  return authenticated({ username, uid: '', groups: textsOf(subject.O), extra: {} });
}

/** Node gives several values of one attribute as an array, a single one as a text. */
function textsOf(value: string | string[] | undefined): string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
