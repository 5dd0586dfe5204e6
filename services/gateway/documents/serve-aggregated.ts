import { createHash } from 'node:crypto';
import { understood } from '@binnacle/api-names';
import { jsonMediaType } from '@binnacle/codecs';
import { encodeJson } from '../render/encode-value.ts';
import { accepts, type NegotiationInput } from '../render/negotiate.ts';
import { documentOffer } from '../render/negotiation-offers.ts';
import { type AcceptedType, parseAccept } from '../render/parse-accept.ts';
import { writeResponse } from '../render/write-response.ts';
import type { Exchange } from '../request/exchange.ts';
import type { DiscoveryDocument } from './discovery-documents.ts';

const kind = 'APIGroupDiscoveryList';
const version = 'v2beta1';
const groups = new Set(understood.groups.apidiscovery);

/**
 * The group, by the client's name of it, whose aggregated discovery it prefers to the plain document; undefined for
 * the plain one. A client that accepts neither is refused where the plain document is negotiated.
 */
export function findPreferredAggregation(input: NegotiationInput): string | undefined {
  for (const accepted of parseAccept(input.accept ?? '')) {
    const group = findAggregation(accepted);
    if (group !== undefined) return group;
    if (accepts(accepted, documentOffer, input)) return undefined;
  }
  return undefined;
}

function findAggregation({ type, parameters }: AcceptedType): string | undefined {
  const group = parameters.get('g') ?? '';
  const isWanted =
    type === jsonMediaType &&
    parameters.get('as') === kind &&
    parameters.get('v') === version &&
    groups.has(group);
  return isWanted ? group : undefined;
}

/** Answers with all of discovery in one document; clients that have it already, by its entity tag, get a 304. */
export async function serveAggregated(
  exchange: Exchange,
  aggregated: NonNullable<DiscoveryDocument['aggregated']>,
  group: string,
): Promise<void> {
  const { request, response } = exchange;
  const body = encodeJson(aggregated(`${group}/${version}`), false);
  const entityTag = `"${createHash('sha512').update(body).digest('hex').toUpperCase()}"`;
  response.setHeader('ETag', entityTag);
  response.setHeader('Vary', 'Accept');
  if (request.headers['if-none-match'] === entityTag) {
    response.writeHead(304).end();
    return;
  }
  // Clients compare the content type text by text.
  const contentType = `${jsonMediaType};g=${group};v=${version};as=${kind}`;
  await writeResponse(exchange, { code: 200, contentType, body });
}
