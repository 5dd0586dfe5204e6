import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { ConnectionGuard, closeServer, createConnectionMetrics, listen } from '@binnacle/connections';
import { settingName } from '@binnacle/flags';
import type { Metrics } from '@binnacle/telemetry';
import type { TlsMaterial } from '@binnacle/tls';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Health, HealthEndpoint } from '../health/health.ts';

/** Options of the operations server. */
interface OperationsServerOptions {
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** Default: 9090; 0 chooses a free port. */
  readonly port?: number;
  readonly health: Health;
  readonly metrics: Metrics;
  /**
   * Serves HTTPS to clients with a certificate of this authority; default: plain HTTP, because metrics and health are
   * not secret.
   */
  readonly tls?: TlsMaterial;
  /** Maximum duration of a handshake, of a request, and of a pause in reading the answer, in ms; default: 10,000. */
  readonly timeoutMs?: number;
}

/** A server for monitoring: `/metrics`, `/livez`, `/readyz`, `/healthz`. */
export interface OperationsServer extends AsyncDisposable {
  readonly port: number;
}

/** Maximum number of connections; scrapes and probes need few. */
const maxConnections = 256;
/** Default of `timeoutMs`. */
const defaultTimeoutMs = 10_000;

/** Starts the operations server; resolves when it listens. */
export async function startOperationsServer(options: OperationsServerOptions): Promise<OperationsServer> {
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  const timeouts = {
    headersTimeout: timeoutMs,
    requestTimeout: timeoutMs,
    connectionsCheckingInterval: Math.ceil(timeoutMs / 4),
    handshakeTimeout: timeoutMs,
  };
  const app = express();
  app.disable('x-powered-by');
  app.use(healthRoutes(options.health));
  app.get('/metrics', async (_request, response) => {
    const { contentType, body } = await options.metrics.render();
    response.set('Content-Type', contentType).end(body);
  });
  app.use((_request, response) => {
    response.status(404).type('text/plain').end('404 page not found\n');
  });
  const server = options.tls
    ? createHttpsServer({ ...timeouts, ...options.tls, requestCert: true, rejectUnauthorized: true }, app)
    : createHttpServer(timeouts, app);
  const guard = new ConnectionGuard(server, {
    limits: { maxConnections, maxConnectionsPerAddress: 0, maxTlsHandshakes: maxConnections },
    handshakeTimeoutMs: timeouts.handshakeTimeout,
    stallTimeouts: { bodyMs: timeoutMs, answerMs: timeoutMs },
    metrics: createConnectionMetrics(options.metrics, 'operations'),
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  const port = await listen(server, {
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 9090,
    settings: { host: settingName('operationsHost'), port: settingName('operationsPort') },
  });
  return { port, [Symbol.asyncDispose]: () => closeServer(server, guard, 0) };
}

const endpoints: readonly HealthEndpoint[] = ['livez', 'readyz', 'healthz'];

/** Routes for `/livez`, `/readyz`, `/healthz` and one check of each, with the parameters `verbose` and `exclude`. */
function healthRoutes(health: Health): RequestHandler {
  const router = Router();
  for (const endpoint of endpoints) {
    router.get(`/${endpoint}`, (request, response) => respond(health, endpoint, { request, response }));
    router.get(`/${endpoint}/*check`, (request, response) => {
      const { check } = request.params;
      return respond(health, endpoint, { request, response, check: check.join('/') });
    });
  }
  return router;
}

async function respond(
  health: Health,
  endpoint: HealthEndpoint,
  { request, response, check }: { request: Request; response: Response; check?: string },
): Promise<void> {
  const { searchParams } = new URL(request.url, 'http://localhost');
  const { status, body } = await health.answer({
    endpoint,
    check,
    verbose: searchParams.has('verbose'),
    exclude: searchParams.getAll('exclude'),
  });
  response
    .status(status)
    .set({
      'Content-Type': 'text/plain; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-cache, private',
    })
    .end(body);
}
