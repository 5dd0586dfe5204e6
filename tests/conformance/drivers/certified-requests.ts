import { readFile } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import { request as startRequest } from 'node:https';
import { join } from 'node:path';
import { issueCertificate } from '@binnacle/tls/testing';
import { encodeBody } from '../../journeys/setup/http-message.ts';
import type { Answer, ConformanceServer } from './conformance-server.ts';
import { readAnswer } from './http-driver.ts';

/** A client certificate and its key, PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A request over a connection of its own. */
export interface CertifiedRequest {
  readonly method?: string;
  readonly path: string;
  /** A list is a header for each of its values. */
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: unknown;
  /** Undefined: the client shows none. */
  readonly certificate?: Certificate | undefined;
}

/** Sends a request to the first gateway with exactly these headers, over a connection with this certificate. */
export function certifiedRequest(
  server: Pick<ConformanceServer, 'gateways' | 'ca'>,
  { method = 'GET', path, headers = {}, body, certificate }: CertifiedRequest,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = startRequest(`${server.gateways[0]}${path}`, {
      method,
      agent: false,
      ca: server.ca,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...certificate,
    });
    request.on('response', message => readAnswer(message).then(resolve, reject)).on('error', reject);
    request.end(encodeBody(body));
  });
}

/** A client certificate that the authority of the cluster has signed. */
export async function clusterCertificate(
  server: Pick<ConformanceServer, 'dataDirectory'>,
  commonName: string,
  organizations: readonly string[] = [],
): Promise<Certificate> {
  const pki = join(server.dataDirectory, 'pki');
  const [cert, key] = await Promise.all([
    readFile(join(pki, 'ca.crt'), 'utf8'),
    readFile(join(pki, 'ca.key'), 'utf8'),
  ]);
  return issueCertificate({ cert, key }, { commonName, organizations, usages: ['client'], validDays: 1 });
}
