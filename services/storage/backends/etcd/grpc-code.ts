/** The gRPC status codes that this backend distinguishes. */
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

/** The error of a request that certainly did not leave this process: a prerequisite, such as a token, could not be obtained. */
export class RequestNotSent extends Error {}

/** Finds the gRPC status code of a failed call to etcd: a property of raw stream errors, else only in the message. */
export function findGrpcCode(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error)) return undefined;
  if (thrown instanceof RequestNotSent) return findGrpcCode(thrown.cause);
  if ('code' in thrown && typeof thrown.code === 'number') return thrown.code;
  const digits = /^(\d+) [A-Z_]+:/.exec(thrown.message)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Whether a request failed before the connection was established. After that, a broken connection leaves the outcome open. */
export function wasNotSent(thrown: unknown): boolean {
  if (thrown instanceof RequestNotSent) return true;
  if (findGrpcCode(thrown) !== grpcCode.unavailable || !(thrown instanceof Error)) return false;
  return /No connection established|Name resolution failed|ECONNREFUSED|Channel closed before/.test(
    thrown.message,
  );
}

/** Whether the library closed the connection, because of another failed request, before this one was sent. */
export function wasClosedBefore(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message.includes('Channel closed before');
}
