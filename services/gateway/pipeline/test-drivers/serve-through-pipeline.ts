import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTypeRegistry } from '@binnacle/api-types';
import { createMetrics, silentLogger } from '@binnacle/telemetry';
import { alwaysAllow } from '../../authorization/authorizer.ts';
import { createGatewayMetrics } from '../../metrics/gateway-metrics.ts';
import { createExchange, type Exchange, freePlace } from '../../request/exchange.ts';
import { anonymousUser } from '../../request/users.ts';
import { type PipelineParts, pipelineFromParts } from '../create-pipeline.ts';
import { createFailureRenderer } from '../render-failure.ts';

/** Parts that let every request pass and answer it with 200. */
export function openParts(): PipelineParts {
  return {
    canonicalGroup: group => group,
    features: { chunks: false, fieldValidation: false, compression: false },
    authenticate: () => anonymousUser,
    authorizer: alwaysAllow,
    limits: { enter: () => freePlace },
    serve: ({ response }) => void response.writeHead(200).end('done'),
    requestTimeout: 600_000,
    accessLog: 'none',
    logger: silentLogger,
    metrics: createGatewayMetrics(createMetrics({ process: false }), createTypeRegistry()),
    renderFailure: createFailureRenderer(silentLogger),
    audit: undefined,
    tracer: undefined,
  };
}

/** Servers of HTTP/1.1 for a test, whose requests go through a pipeline of open parts and those that are given. */
interface PipelineServer extends Disposable {
  readonly port: number;
}

/** Starts a server; `onExchange` sees each request before its pipeline. */
export async function serveThroughPipeline(
  parts: Partial<PipelineParts>,
  onExchange: (exchange: Exchange) => void = () => {},
): Promise<PipelineServer> {
  const handle = pipelineFromParts({ ...openParts(), ...parts });
  const server = createServer((request, response) => {
    const exchange = createExchange(request, response, Date.now);
    onExchange(exchange);
    void handle(exchange).catch(() => response.destroy());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port, // Listens on TCP.
    [Symbol.dispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}
