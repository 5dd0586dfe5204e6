import { notAcceptable } from '@binnacle/status-errors';
import { parseAccept } from '../render/parse-accept.ts';
import { writeResponse } from '../render/write-response.ts';
import type { Exchange } from '../request/exchange.ts';
import { PageNotFound } from '../request/page-not-found.ts';
import type { IssuerDiscovery } from './issuer-discovery.ts';
import { configurationPath, keysPath } from './issuer-documents.ts';

/** Whether a path is a document about the issuer of service-account tokens, which a slash at its end does not change. */
export function isIssuerPath(path: string): boolean {
  const name = withoutSlash(path);
  return name === configurationPath || name === keysPath;
}

/**
 * Answers with the document of a path, which has one form. Clients and proxies may keep it for an hour: it is the same for everybody.
 * Throws NotAcceptable for a client that takes other media types alone.
 */
export async function serveIssuerDocument(exchange: Exchange, issuer: IssuerDiscovery): Promise<void> {
  const document = issuer.documents().get(withoutSlash(exchange.path));
  if (document === undefined) throw new PageNotFound();
  if (!accepts(exchange.request.headers.accept, document.contentType))
    throw notAcceptable([document.contentType]);
  exchange.response.setHeader('Cache-Control', 'public, max-age=3600');
  await writeResponse(exchange, { code: 200, ...document });
}

function accepts(accept: string | undefined, contentType: string): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  return parseAccept(accept).some(
    ({ type }) => type === contentType || type === 'application/*' || type === '*/*',
  );
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '');
}
