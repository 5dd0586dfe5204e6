import type { OpenApiDocuments } from '@binnacle/openapi';
import type { Health, HealthEndpoint } from '@binnacle/service-kit';
import { methodNotAllowed } from '@binnacle/status-errors';
import type { Metrics } from '@binnacle/telemetry';
import type { DiscoveryDocuments } from '../documents/discovery-documents.ts';
import { type IssuerDiscovery, isIssuerPath, serveIssuerDocument } from '../documents/issuer-documents.ts';
import { serveDocument } from '../documents/serve-document.ts';
import { isLogPath, serveLogs } from '../documents/serve-logs.ts';
import { isOpenApiPath, serveOpenApi } from '../documents/serve-openapi.ts';
import type { FlowControl } from '../flow-control/flow-control.ts';
import { isDumpPath, serveDump } from '../flow-control/serve-dump.ts';
import { writeResponse } from '../render/write-response.ts';
import { type Exchange, setHeaders } from '../request/exchange.ts';
import { PageNotFound } from '../request/page-not-found.ts';
import { isHealthPath } from '../request/request-target.ts';
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
  // Documents write heads of their own, some with other headers in place of these.
  setHeaders(exchange);
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

/** Answers `/healthz`, `/livez`, `/readyz` and the single checks below them (spec 1, "Health endpoints"). */
async function serveHealth(exchange: Exchange, health: Health): Promise<void> {
  const [, endpoint, ...rest] = exchange.path.split('/');
  const check = rest.join('/');
  const answer = await health.answer({
    endpoint: endpoint as HealthEndpoint, // One of the three: see isHealthPath.
    check: check === '' ? undefined : check,
    verbose: check === '' && exchange.query.has('verbose'),
    exclude: exchange.query.getAll('exclude'),
  });
  if (answer.status === 404 || exchange.path.endsWith('/')) throw new PageNotFound();
  if (check === '') exchange.response.setHeader('X-Content-Type-Options', 'nosniff');
  const body = Buffer.from(answer.body);
  await writeResponse(exchange, { code: answer.status, contentType: 'text/plain; charset=utf-8', body });
}
