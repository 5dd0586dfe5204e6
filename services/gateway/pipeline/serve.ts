import type { OpenApiDocuments } from '@binnacle/openapi';
import { methodNotAllowed } from '@binnacle/status-errors';
import type { Metrics } from '@binnacle/telemetry';
import type { DiscoveryDocuments } from '../documents/discovery-documents.ts';
import type { IssuerDiscovery } from '../documents/issuer-discovery.ts';
import { serveDocument } from '../documents/serve-document.ts';
import { isIssuerPath, serveIssuerDocument } from '../documents/serve-issuer-document.ts';
import { isLogPath, serveLogs } from '../documents/serve-logs.ts';
import { isOpenApiPath, serveOpenApi } from '../documents/serve-openapi.ts';
import type { FlowControl } from '../flow-control/flow-control.ts';
import { isDumpPath, serveDump } from '../flow-control/serve-dump.ts';
import { writeResponse } from '../render/write-response.ts';
import type { Exchange } from '../request/exchange.ts';
import { isHealthPath } from '../request/request-target.ts';
import { serveHealth } from './health-endpoint.ts';
import { type ResourceServices, serveResource } from './serve-resource.ts';

/** Services of requests. */
export interface ServeServices extends ResourceServices {
  readonly documents: DiscoveryDocuments;
  readonly issuerDiscovery: IssuerDiscovery;
  readonly openApi: OpenApiDocuments;
  /** Whether there are OpenAPI v3 documents. */
  readonly openApiV3: boolean;
  readonly processMetrics: Metrics;
  /** Undefined where requests are not limited by priority and fairness. */
  readonly flowControl: FlowControl | undefined;
}

/** The last step: answers the request. */
export function serve(exchange: Exchange, services: ServeServices): Promise<void> {
  const { target } = exchange;
  return target.kind === 'resource'
    ? serveResource(exchange, target, services)
    : servePath(exchange, services);
}

async function servePath(exchange: Exchange, services: ServeServices): Promise<void> {
  if (isHealthPath(exchange.path)) return await serveHealth(exchange, services.health);
  if (exchange.method !== 'GET' && exchange.method !== 'HEAD') throw methodNotAllowed();
  if (exchange.path === '/metrics') return await serveMetrics(exchange, services.processMetrics);
  if (isOpenApiPath(exchange.path)) return await serveOpenApi(exchange, services);
  if (isIssuerPath(exchange.path)) return await serveIssuerDocument(exchange, services.issuerDiscovery);
  if (isLogPath(exchange.path)) return await serveLogs(exchange);
  if (services.flowControl !== undefined && isDumpPath(exchange.path))
    return await serveDump(exchange, services.flowControl);
  await serveDocument(exchange, services);
}

async function serveMetrics(exchange: Exchange, metrics: Metrics): Promise<void> {
  const { contentType, body } = await metrics.render();
  await writeResponse(exchange, { code: 200, contentType, body: Buffer.from(body) });
}
