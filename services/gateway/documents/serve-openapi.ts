import type { OpenApiDocuments } from '@binnacle/openapi';
import type { Exchange } from '../request/exchange.ts';
import { PageNotFound } from '../request/page-not-found.ts';
import {
  type OpenApiFormat,
  type OpenApiVersion,
  openApiContentType,
  openApiFormat,
} from './openapi-format.ts';
import { sendDocument } from './send-document.ts';

/** Services of the documents. */
interface OpenApiServices {
  readonly openApi: OpenApiDocuments;
  /** Whether those of version 3 are served. */
  readonly openApiV3: boolean;
}

const root = '/openapi';
const indexPath = `${root}/v3`;

/** Whether a path is one of the OpenAPI documents'. */
export function isOpenApiPath(path: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}

/**
 * Answers a GET below `/openapi`. An unsupported form is answered with an empty 406; the OpenAPI v3 document of a
 * group version is kept by clients for good under the hash of its content, in either form, and an old hash leads to
 * the present one.
 */
export async function serveOpenApi(exchange: Exchange, services: OpenApiServices): Promise<void> {
  const { openApi: documents, openApiV3 } = services;
  const path = exchange.path.replace(/\/$/, '');
  if (path === `${root}/v2`) await serveV2(exchange, documents);
  else if (!openApiV3) throw new PageNotFound();
  else if (path === indexPath) await serveIndex(exchange, documents);
  else if (path.startsWith(`${indexPath}/`))
    await servePart(exchange, documents, path.slice(indexPath.length + 1));
  else throw new PageNotFound();
}

async function serveV2(exchange: Exchange, documents: OpenApiDocuments): Promise<void> {
  const format = acceptedFormat(exchange, 'v2');
  if (format === undefined) return refuseFormat(exchange);
  const document = await (format === 'json' ? documents.v2Json() : documents.v2Protobuf());
  await sendDocument(exchange, document, { contentType: openApiContentType(format, 'v2'), immutable: false });
}

async function serveIndex(exchange: Exchange, documents: OpenApiDocuments): Promise<void> {
  if (acceptedFormat(exchange, 'v3', ['json']) === undefined) return refuseFormat(exchange);
  await sendDocument(exchange, await documents.v3Index(), {
    contentType: openApiContentType('json', 'v3'),
    immutable: false,
  });
}

async function servePart(exchange: Exchange, documents: OpenApiDocuments, path: string): Promise<void> {
  const part = await documents.v3Part(path);
  if (part === undefined) throw new PageNotFound();
  const format = acceptedFormat(exchange, 'v3');
  if (format === undefined) return refuseFormat(exchange);
  const hash = exchange.query.get('hash') ?? '';
  if (hash !== '' && hash !== part.document.hash) {
    exchange.response.writeHead(301, { Location: part.url, 'Content-Length': 0 }).end();
    return;
  }
  const document = format === 'json' ? part.document : await part.protobuf();
  await sendDocument(exchange, document, {
    contentType: openApiContentType(format, 'v3'),
    immutable: hash !== '',
  });
}

function acceptedFormat(
  exchange: Exchange,
  version: OpenApiVersion,
  offered: readonly OpenApiFormat[] = ['json', 'protobuf'],
): OpenApiFormat | undefined {
  return openApiFormat(exchange.request.headers.accept, { version, offered });
}

function refuseFormat(exchange: Exchange): void {
  exchange.response.writeHead(406, { 'Content-Length': 0 }).end();
}
