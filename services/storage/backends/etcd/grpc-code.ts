/** The gRPC status codes that tell something here. */
export const grpcCode = {
  cancelled: 1,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  outOfRange: 11,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** A request that certainly did not leave this process: what it needs first, such as a token, could not be obtained. */
export class RequestNotSent extends Error {}

/** The gRPC status code of a failed call to etcd: a property of raw stream errors, else only in the message. */
export function findGrpcCode(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error)) return undefined;
  if (thrown instanceof RequestNotSent) return findGrpcCode(thrown.cause);
  if ('code' in thrown && typeof thrown.code === 'number') return thrown.code;
  const digits = /^(\d+) [A-Z_]+:/.exec(thrown.message)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Whether a request failed before a connection stood. A connection that broke later says nothing. */
export function wasNotSent(thrown: unknown): boolean {
  if (thrown instanceof RequestNotSent) return true;
  if (findGrpcCode(thrown) !== grpcCode.unavailable || !(thrown instanceof Error)) return false;
  return /No connection established|Name resolution failed|ECONNREFUSED|Channel closed before/.test(
    thrown.message,
  );
}

/** Whether the library closed the connection, for another request that failed, before this one was sent. */
export function wasClosedBefore(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message.includes('Channel closed before');
}
