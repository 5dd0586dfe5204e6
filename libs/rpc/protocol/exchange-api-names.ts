import { type Vocabulary, vocabulary } from '@binnacle/api-names';
import { ownBuild } from '@binnacle/build-info';
import { Metadata, type ServerDuplexStream, type ServiceError, status } from '@grpc/grpc-js';
import { type ApiNamesRefusal, otherApiNames } from './api-names-refusal.ts';

/** The header and trailer of a call stream with the API names of its sender. */
const header = 'binnacle-api-names';

/** The header of a call stream with the release of its sender, for the log of its peer. */
const releaseHeader = 'binnacle-release';

/** The vocabulary of a peer that sends no header: the previous release supported only these names. */
const unsaid: Vocabulary = 'cluster';

/** Creates the headers with the API names and the release of this process. */
export function apiNamesHeaders(own: Vocabulary = vocabulary): Metadata {
  const metadata = new Metadata();
  metadata.set(header, own);
  metadata.set(releaseHeader, ownBuild());
  return metadata;
}

/** Refuses a call stream whose client has other API names; returns whether it did. */
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

/** Returns the refusal of a server by its headers; undefined if client and server have the same API names. */
export function refusalFromHeaders(
  service: string,
  headers: Metadata,
  own: Vocabulary = vocabulary,
): ApiNamesRefusal | undefined {
  const theirs = namesIn(headers) ?? unsaid;
  return theirs === own ? undefined : otherApiNames(service, theirs, { own });
}

/** Returns the refusal by `service` in the error that ended a call stream; undefined for other errors. */
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

/** Returns the release of a server where it is another one than that of this process; a server that tells none is of an earlier one. */
export function otherRelease(headers: Metadata): string | undefined {
  const [value] = headers.get(releaseHeader);
  const theirs = typeof value === 'string' ? value.slice(0, maxReleaseLength) : 'an earlier one';
  return theirs === ownBuild() ? undefined : theirs;
}

/** Characters of a release that are logged. */
const maxReleaseLength = 80;
