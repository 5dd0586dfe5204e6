import { messageNamed, type TypeRegistry } from '@binnacle/api-types';
import { type BodyEncoding, encodeProtobuf, encodeYaml } from '@binnacle/codecs';
import { resourceNotFound } from '@binnacle/status-errors';
import { documentOffer, negotiate, plainDocumentOffer } from '../negotiate/negotiate.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import { encodeJson } from '../render/encode-value.ts';
import { writeResponse } from '../render/write-response.ts';
import { PageNotFound } from '../request-info/page-not-found.ts';
import type { DiscoveryDocument } from './documents.ts';

/** What discovery is served from. */
export interface DocumentServices {
  readonly registry: TypeRegistry;
  readonly documents: ReadonlyMap<string, DiscoveryDocument>;
}

/** Answers with the document of a path; a Status below known groups and a plain page elsewhere when there is none. */
export async function serveDocument(exchange: Exchange, services: DocumentServices): Promise<void> {
  const path = exchange.path.replace(/\/$/, '');
  const document = services.documents.get(path);
  if (document === undefined)
    throw isBelowKnownGroup(path, services.registry) ? resourceNotFound() : new PageNotFound();
  const { accept, 'user-agent': userAgent } = exchange.request.headers;
  const offer = typeof document.value['kind'] === 'string' ? documentOffer : plainDocumentOffer;
  const { encoding, mediaType, pretty } = negotiate({ accept, userAgent, query: exchange.query }, offer);
  const body = bytesOf(document, encoding, pretty);
  await writeResponse(exchange, { code: 200, contentType: mediaType, body });
}

function bytesOf(document: DiscoveryDocument, encoding: BodyEncoding, pretty: boolean): Buffer {
  switch (encoding) {
    case 'yaml':
      return Buffer.from(encodeYaml(document.value));
    case 'protobuf': {
      const value = { apiVersion: 'v1', ...document.value };
      return encodeProtobuf(messageNamed(`cluster.io.api.meta.v1.${document.value['kind']}`), value);
    }
    case 'json':
      return pretty ? encodeJson(document.value, true) : document.json;
  }
}

function isBelowKnownGroup(path: string, registry: TypeRegistry): boolean {
  const [, prefix, group = '', version] = path.split('/');
  if (prefix === 'api') return group !== '';
  if (prefix !== 'apis' || version === undefined) return false;
  return registry
    .groups()
    .some(known => known.group !== '' && known.group === registry.canonicalGroup(group));
}
