import type { Metadata } from '@grpc/grpc-js';

/** The header of a call stream with the paths of the methods that its server accepts there. */
const header = 'binnacle-streamed-methods';

/** The methods that a server accepts that does not say: those of the previous release. */
const unsaid: ReadonlySet<string> = new Set([
  '/binnacle.internal.storage.Storage/Get',
  '/binnacle.internal.storage.Storage/Transact',
  '/binnacle.internal.storage.Storage/TypeRevision',
  '/binnacle.internal.admission.Admission/Review',
  '/binnacle.internal.token_review.TokenReview/Review',
]);

/** Adds the methods that a server accepts on its call streams to the headers of one. */
export function setStreamedMethods(headers: Metadata, paths: Iterable<string>): void {
  headers.set(header, [...paths].join(','));
}

/** Returns the methods that a server accepts on a call stream, by its headers; calls of all others are separate gRPC calls. */
export function readStreamedMethods(headers: Metadata): ReadonlySet<string> {
  const [paths] = headers.get(header);
  return typeof paths === 'string' ? new Set(paths.split(',')) : unsaid;
}
