import { type Vocabulary, vocabulary } from '@binnacle/api-names';
import { Metadata, type ServerDuplexStream, type ServiceError, status } from '@grpc/grpc-js';
import { type ApiNamesRefusal, otherApiNames } from './api-names-refusal.ts';

/** The header and trailer of a connection's call stream that say which API names its sender has. */
const header = 'binnacle-api-names';

/** The vocabulary of a peer that names none: the release before had these names alone. */
const unsaid: Vocabulary = 'cluster';

/** The headers that say which names this process has. */
export function apiNamesHeaders(own: Vocabulary = vocabulary): Metadata {
  const metadata = new Metadata();
  metadata.set(header, own);
  return metadata;
}

/** Ends a connection's call stream whose client has other names; says whether it did. */
export function refuseOtherNames(
  stream: ServerDuplexStream<unknown, unknown>,
  own: Vocabulary = vocabulary,
): boolean {
  const theirs = namesIn(stream.metadata) ?? unsaid;
  if (theirs === own) return false;
  const details = `this service has --api-names=${own}, its caller --api-names=${theirs}`;
  stream.emit(
    'error',
    Object.assign(new Error(details), {
      code: status.FAILED_PRECONDITION,
      details,
      metadata: apiNamesHeaders(own),
    }),
  );
  return true;
}

/** Why a client of `service` leaves the server that sent these headers; undefined where both have the same names. */
export function refusalFromHeaders(
  service: string,
  headers: Metadata,
  own: Vocabulary = vocabulary,
): ApiNamesRefusal | undefined {
  const theirs = namesIn(headers) ?? unsaid;
  return theirs === own ? undefined : otherApiNames(service, theirs, { own });
}

/** The refusal by `service` that ended a call stream; undefined for other errors. */
export function refusalFromError(
  service: string,
  error: Partial<ServiceError>,
  own: Vocabulary = vocabulary,
): ApiNamesRefusal | undefined {
  const theirs = error.metadata && namesIn(error.metadata);
  if (error.code !== status.FAILED_PRECONDITION || theirs === undefined) return undefined;
  return otherApiNames(service, theirs, { own, cause: error });
}

function namesIn(metadata: Metadata): string | undefined {
  const [value] = metadata.get(header);
  return typeof value === 'string' ? value : undefined;
}
