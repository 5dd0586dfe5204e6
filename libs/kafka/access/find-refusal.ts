import { BackendRefusal, backendRefusalIn, type RefusalKind } from '@binnacle/backend-access';
import type { KafkaConnection } from './kafka-connection.ts';
import { probeBroker } from './probe-broker.ts';

/** Runs work that uses Kafka; an error that is a refusal is rethrown as a `BackendRefusal` with that error as cause. */
export async function namingRefusals<T>(connection: KafkaConnection, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw await refusalOr(thrown, connection);
  }
}

async function refusalOr(thrown: unknown, connection: KafkaConnection): Promise<unknown> {
  if (backendRefusalIn(thrown) !== undefined) return thrown;
  const errors = errorsIn(thrown);
  const kind =
    errors.map(findRefusalKind).find(found => found !== undefined) ?? (await probedKind(errors, connection));
  return kind === undefined ? thrown : new BackendRefusal('kafka', kind, { cause: thrown });
}

/** The properties of an error of kafkajs or Node; each of them may be missing. */
interface Failure {
  readonly name?: unknown;
  readonly message?: unknown;
  /** Error name of the Kafka protocol. */
  readonly type?: unknown;
  /** Code of a socket error. */
  readonly code?: unknown;
  readonly broker?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

/** Returns an error with its causes and nested errors: retries wrap the last error, and topics are refused one by one. */
function errorsIn(thrown: unknown, depth = 0): Failure[] {
  if (!(thrown instanceof Error) || depth > 8) return [];
  const failure: Failure = thrown;
  const parts = Array.isArray(failure.errors) ? failure.errors : [];
  return [failure, ...[failure.cause, ...parts].flatMap(each => errorsIn(each, depth + 1))];
}

const credentialTypes = new Set([
  'SASL_AUTHENTICATION_FAILED',
  'UNSUPPORTED_SASL_MECHANISM',
  'ILLEGAL_SASL_STATE',
]);

/**
 * TLS alerts with which a broker rejects or requires a client certificate, by their numbers in OpenSSL messages: bad,
 * unsupported, revoked, expired, unknown, unknown authority, denied, required. Error codes for them differ between
 * releases, and a failed write has none.
 */
const certificateAlert = /SSL alert number (42|43|44|45|46|48|49|116)\b/;

const verificationCodes = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'EPROTO',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

function findRefusalKind({ name, type, code, message }: Failure): RefusalKind | undefined {
  if (name === 'KafkaJSSASLAuthenticationError') return 'credentials';
  if (typeof type === 'string') {
    if (credentialTypes.has(type)) return 'credentials';
    if (type.endsWith('_AUTHORIZATION_FAILED')) return 'permission';
  }
  if (typeof message === 'string' && certificateAlert.test(message)) return 'credentials';
  if (typeof code !== 'string') return undefined;
  return code.startsWith('ERR_SSL_') || verificationCodes.has(code) ? 'tls' : undefined;
}

/**
 * Finds the refusal behind a closed connection by probing the broker: brokers close connections with TLS on a plaintext
 * port, with plaintext on a TLS port and without authentication, but also when they stop.
 */
async function probedKind(
  errors: readonly Failure[],
  connection: KafkaConnection,
): Promise<RefusalKind | undefined> {
  const closed = errors.find(({ name }) => typeof name === 'string' && connectionErrors.has(name));
  if (closed === undefined || closed.code === 'ECONNREFUSED') return undefined;
  const broker = typeof closed.broker === 'string' ? closed.broker : connection.brokers[0];
  if (broker === undefined) return undefined;
  switch (await probeBroker(broker, connection.tls)) {
    case 'wants-tls':
      return connection.tls === undefined ? 'tls' : undefined;
    case 'plaintext':
      return connection.tls === undefined ? undefined : 'tls';
    case 'wants-sasl':
      return connection.user === undefined ? 'credentials' : undefined;
    case 'unknown':
      return undefined;
  }
}

const connectionErrors = new Set(['KafkaJSConnectionError', 'KafkaJSConnectionClosedError']);
