import { understood } from '@binnacle/api-names';
import { type BodyEncoding, jsonMediaType, protobufMediaTypes, yamlMediaType } from '@binnacle/codecs';
import { notAcceptable } from '@binnacle/status-errors';
import { everyEncoding, type NegotiationOffer } from './negotiation-offers.ts';
import { type AcceptedType, parseAccept } from './parse-accept.ts';
import type { Representation } from './representation.ts';

/** The parts of a request that choose the form of its answer. */
export interface NegotiationInput {
  readonly accept: string | undefined;
  readonly userAgent: string | undefined;
  readonly query: URLSearchParams;
}

const mediaTypes: Readonly<Record<BodyEncoding, readonly string[]>> = {
  json: [jsonMediaType],
  yaml: [yamlMediaType],
  protobuf: protobufMediaTypes,
};
const anyType = '*/*';
const metaGroups = new Set(understood.groups.meta);
const metaVersions = new Set(['v1', 'v1beta1']);
const parametersOfTransform = new Set(['as', 'g', 'v']);

/**
 * The first form that the client accepts and the offer has; throws NotAcceptable without one. JSON without an `Accept`
 * header.
 */
export function negotiate(input: NegotiationInput, offer: NegotiationOffer): Representation {
  const accept = input.accept ?? '';
  if (accept.trim() === '') return plain('json', jsonMediaType, input);
  // Most clients ask for this alone.
  if (accept === jsonMediaType && offer.encodings.includes('json'))
    return plain('json', jsonMediaType, input);
  for (const accepted of parseAccept(accept)) {
    const found = match(accepted, offer, input);
    if (found !== undefined) return found;
  }
  throw notAcceptable(offer.encodings.flatMap(encoding => mediaTypes[encoding]));
}

/** Whether one of the types that a client accepts is among what is offered. */
export function accepts(accepted: AcceptedType, offer: NegotiationOffer, input: NegotiationInput): boolean {
  return match(accepted, offer, input) !== undefined;
}

/** The form of an error: an encoding that the client accepts, without a transform; JSON when there is none. */
export function negotiateError(input: NegotiationInput): Representation {
  for (const accepted of parseAccept(input.accept ?? '')) {
    const encoding = findEncoding(accepted.type, everyEncoding);
    const asksForTransformed = encoding === 'protobuf' && accepted.parameters.has('as');
    if (encoding !== undefined && !asksForTransformed)
      return plain(encoding, mediaTypeFor(accepted, encoding), input);
  }
  return plain('json', jsonMediaType, input);
}

function match(
  accepted: AcceptedType,
  offer: NegotiationOffer,
  input: NegotiationInput,
): Representation | undefined {
  const as = accepted.parameters.get('as');
  const isMetadata = as !== undefined && as !== 'Table';
  const encoding = findEncoding(accepted.type, isMetadata ? offer.metadataEncodings : offer.encodings);
  if (encoding === undefined) return undefined;
  const representation = plain(encoding, mediaTypeFor(accepted, encoding), input);
  if (as === undefined) {
    const asksForMore = [...accepted.parameters.keys()].some(name => parametersOfTransform.has(name));
    return asksForMore ? undefined : representation;
  }
  const kind = offer.transforms.find(transform => transform === as);
  const group = accepted.parameters.get('g') ?? '';
  const version = accepted.parameters.get('v') ?? '';
  if (kind === undefined || !metaGroups.has(group) || !metaVersions.has(version)) return undefined;
  if (kind === 'Table' && encoding === 'protobuf') return undefined;
  return { ...representation, transform: { kind, apiVersion: `${group}/${version}` } };
}

function findEncoding(type: string, encodings: readonly BodyEncoding[]): BodyEncoding | undefined {
  if (type === anyType) return encodings[0];
  return encodings.find(encoding => mediaTypes[encoding].includes(type));
}

function mediaTypeFor(accepted: AcceptedType, encoding: BodyEncoding): string {
  return accepted.type === anyType ? (mediaTypes[encoding][0] ?? jsonMediaType) : accepted.type;
}

function plain(encoding: BodyEncoding, mediaType: string, input: NegotiationInput): Representation {
  return { encoding, mediaType, transform: undefined, pretty: encoding === 'json' && isForPeople(input) };
}

function isForPeople({ query, userAgent = '' }: NegotiationInput): boolean {
  const asked = query.get('pretty');
  if (asked !== null) return asked !== '0' && asked.toLowerCase() !== 'false';
  return /^(curl|Mozilla|Wget)\b/.test(userAgent);
}
