import { messageNamed } from '@binnacle/api-types';
import { type BodyEncoding, encodeProtobuf } from '@binnacle/codecs';
import { encodeYaml } from '@binnacle/codecs/texts';
import type { CallContext } from '@binnacle/proto';
import { createCallContext } from '@binnacle/rpc';
import { resourceNotFound, StatusError } from '@binnacle/status-errors';
import { isStorageError } from '@binnacle/storage-contract';
import type { CustomDefinitions } from '../read/custom-definitions.ts';
import { encodeJson } from '../render/encode-value.ts';
import { negotiate } from '../render/negotiate.ts';
import { documentOffer, plainDocumentOffer } from '../render/negotiation-offers.ts';
import { writeResponse } from '../render/write-response.ts';
import type { Exchange } from '../request/exchange.ts';
import { PageNotFound } from '../request/page-not-found.ts';
import type { DiscoveryDocument, DiscoveryDocuments } from './discovery-documents.ts';
import { findPreferredAggregation, serveAggregated } from './serve-aggregated.ts';

/** Services of discovery documents. */
interface DocumentServices {
  readonly documents: DiscoveryDocuments;
  readonly customDefinitions: CustomDefinitions;
}

/** Longest time that discovery waits for definitions written a moment ago. */
const catchUpTimeoutMs = 1_000;

/** Answers with the document of a path; a Status below known groups and a plain page elsewhere when there is none. */
export async function serveDocument(exchange: Exchange, services: DocumentServices): Promise<void> {
  const path = exchange.path.replace(/\/$/, '');
  if (/^\/apis(\/|$)/.test(path)) await catchUp(services.customDefinitions, exchange.call);
  const documents = services.documents();
  const document = documents.get(path);
  if (document === undefined)
    throw isBelowKnownGroup(path, documents) ? resourceNotFound() : new PageNotFound();
  const { accept, 'user-agent': userAgent } = exchange.request.headers;
  const input = { accept, userAgent, query: exchange.query };
  const aggregation = document.aggregated && findPreferredAggregation(input);
  if (document.aggregated && aggregation !== undefined) {
    await serveAggregated(exchange, document.aggregated, aggregation);
    return;
  }
  const offer = typeof document.value['kind'] === 'string' ? documentOffer : plainDocumentOffer;
  const { encoding, mediaType, pretty } = negotiate(input, offer);
  const body = encodeDocument(document, encoding, pretty);
  await writeResponse(exchange, { code: 200, contentType: mediaType, body });
}

/**
 * A client that saw a custom type established looks for it in discovery next. While the store does not answer,
 * discovery shows the types known so far.
 */
async function catchUp(customDefinitions: CustomDefinitions, parent: CallContext): Promise<void> {
  // A health check reports a gateway that has not started.
  if (!customDefinitions.isStarted) return;
  using call = createCallContext({ timeoutMs: catchUpTimeoutMs, parent });
  try {
    await customDefinitions.catchUp(call);
  } catch (error) {
    if (!isStorageError(error) && !(error instanceof StatusError)) throw error;
  }
}

function encodeDocument(document: DiscoveryDocument, encoding: BodyEncoding, pretty: boolean): Buffer {
  switch (encoding) {
    case 'yaml':
      return Buffer.from(encodeYaml(document.value));
    case 'protobuf': {
      const value = { apiVersion: 'v1', ...document.value };
      return encodeProtobuf(messageNamed(`meta.v1.${document.value['kind']}`), value);
    }
    case 'json':
      return pretty ? encodeJson(document.value, true) : document.json;
  }
}

function isBelowKnownGroup(path: string, documents: ReturnType<DiscoveryDocuments>): boolean {
  const [, prefix, group = '', version] = path.split('/');
  if (prefix === 'api') return group !== '';
  return prefix === 'apis' && version !== undefined && documents.has(`/apis/${group}`);
}
