import { hostname, networkInterfaces } from 'node:os';
import { createConnectionMetrics, type Health, type Metrics } from '@binnacle/service-kit';
import { Audit } from './audit/audit.ts';
import { createParts, type GatewayParts } from './create-parts.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { createPipeline } from './pipeline/create-pipeline.ts';
import { createServer } from './server/create-server.ts';
import { fitDescriptors } from './server/fit-descriptors.ts';
import { createFollowedTls, type FollowedTls } from './server/followed-tls.ts';
import { createHttp2Metrics } from './server/http2/http2-metrics.ts';
import { listen } from './server/listen.ts';
import { advertisedAddress } from './server-endpoints/advertised-address.ts';
import type { GatewaySettings } from './settings/gateway-settings.ts';
import { startParts } from './start-parts.ts';
import { stopGateway } from './stop-gateway.ts';

/** A gateway that listens. */
export interface Gateway extends AsyncDisposable {
  readonly port: number;
  /** Resolves once it serves everything: defaults written, types listed, roles loaded. */
  ready(): Promise<void>;
  readonly health: Health;
  readonly metrics: Metrics;
  /** Stops gracefully: says that it is not ready, ends watches with a bookmark, finishes what is under way. */
  stop(): Promise<void>;
}

/** Starts a gateway; resolves as soon as it listens, which does not wait for the services behind it. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const parts = createParts(options);
  const { settings, services, logger } = parts;
  const advertised = advertisedAddressOf(options, parts);
  const state = { stopping: false };
  const tls = createFollowedTls(options);
  const audit = auditFor(options, parts);
  const { server, guard } = serverOf(options, parts, { audit, tls, isStopping: () => state.stopping });
  const port = await listen(server, settings.securePort, settings.bindAddress);
  services.issuerDiscovery.publish(serverAddressOf(settings, port));
  const following = tls.follow(server, settings.tlsReloadInterval, logger);
  const started = startParts(parts, {
    port,
    advertisedAddress: advertised,
    authorities: tls.authorities,
  });
  const onStopping = () => {
    state.stopping = true;
  };
  const running = { parts, started, server, guard, following, audit, onStopping };
  const stopOnce = once(() => stopGateway(running));
  return {
    port,
    ready: () => started.ready,
    health: services.health,
    metrics: services.processMetrics,
    stop: stopOnce,
    [Symbol.asyncDispose]: stopOnce,
  };
}

/** The parts of the server besides those of the gateway. */
interface ServerMeans {
  readonly audit: Audit | undefined;
  readonly tls: FollowedTls;
  readonly isStopping: () => boolean;
}

function serverOf(options: GatewayOptions, parts: GatewayParts, { audit, tls, isStopping }: ServerMeans) {
  const { settings, services, gatewayMetrics, logger, clock } = parts;
  return createServer({
    tls: options.tls === false ? undefined : options.tls,
    handle: createPipeline({
      settings,
      authorities: tls.authorities,
      services,
      metrics: gatewayMetrics,
      logger,
      audit,
    }),
    isStopping,
    requestTimeout: settings.requestTimeout,
    connections: fitDescriptors(settings, logger),
    connectionMetrics: createConnectionMetrics(services.processMetrics, 'api'),
    http2Metrics: createHttp2Metrics(services.processMetrics),
    metrics: gatewayMetrics,
    clock,
  });
}

function auditFor(options: GatewayOptions, { services, logger, clock }: GatewayParts): Audit | undefined {
  if (options.audit === undefined) return undefined;
  return new Audit(options.audit, {
    metrics: services.processMetrics,
    logger,
    clock,
    now: () => performance.now(),
    random: services.random,
    standardOutput: process.stdout,
  });
}

/** The address for the Endpoints of the API's service. */
function advertisedAddressOf(
  { tls }: GatewayOptions,
  { settings, logger }: GatewayParts,
): string | undefined {
  const reach = { servesTls: tls !== false, interfaces: networkInterfaces() };
  const address = advertisedAddress(settings, reach);
  const { bindAddress, endpointReconcilerType } = settings;
  if (address === undefined && endpointReconcilerType !== 'none')
    logger.info('this server is not among the endpoints of its service: it has no address for them', {
      bindAddress,
    });
  return address;
}

/** The host and port by which clients find the server; a server at all addresses is found by its name. */
function serverAddressOf({ bindAddress }: GatewaySettings, port: number): string {
  const host = bindAddress === '0.0.0.0' || bindAddress === '::' ? hostname() : bindAddress;
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}
