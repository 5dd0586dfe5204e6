import { BackendRefusal, isTlsFailure } from '@binnacle/backend-access';
import { findGrpcCode, grpcCode, wasNotSent } from './grpc-code.ts';

/** The answer to a request whose token etcd does not know. */
export const staleToken = 'etcd does not know the token';

/** etcd's messages for an unknown user or password, or for a missing user. */
const unknownUser = /authentication failed|user name is empty|user name not found|invalid auth token/;

/** Creates the refusal for an error of etcd or of its connection; undefined for other errors. */
export function etcdRefusalFrom(thrown: unknown): BackendRefusal | undefined {
  if (thrown instanceof BackendRefusal) return thrown;
  if (!(thrown instanceof Error)) return undefined;
  const kind = findRefusalKind(thrown);
  return kind && new BackendRefusal('etcd', kind, { cause: thrown });
}

function findRefusalKind(thrown: Error): BackendRefusal['kind'] | undefined {
  const code = findGrpcCode(thrown);
  if (code === grpcCode.permissionDenied) return 'permission';
  if (code === grpcCode.unauthenticated) return 'credentials';
  if (code === grpcCode.invalidArgument && unknownUser.test(thrown.message)) return 'credentials';
  return wasNotSent(thrown) && isTlsFailure(thrown) ? 'tls' : undefined;
}

/**
 * Whether etcd no longer knows a token, or has changed its users since it issued the token: the request was refused before it was
 * processed, so that a second attempt with a new token is safe, for a transaction too.
 */
export function isStaleToken(thrown: unknown, token: string | undefined): boolean {
  if (!(thrown instanceof Error)) return false;
  if (thrown.message.includes(staleToken)) return true;
  if (/invalid auth token|revision of auth store is old|user name is empty/.test(thrown.message)) return true;
  // Authentication was off at the last authentication; where it is on now, a request without a token has no permission.
  return token === undefined && findGrpcCode(thrown) === grpcCode.permissionDenied;
}
