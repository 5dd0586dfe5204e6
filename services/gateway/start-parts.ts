import { hostname } from 'node:os';
import type { WatchCache } from '@binnacle/watch-cache';
import type { ClientAuthorities } from './authentication/client-certificate.ts';
import { clientAuthorities } from './bootstrap/client-authorities.ts';
import { clusterService } from './bootstrap/cluster-service.ts';
import { keepApiServices } from './bootstrap/keep-api-services.ts';
import { seenRevisions } from './bootstrap/seen-revisions.ts';
import { type Bootstrap, startBootstrap } from './bootstrap/start-bootstrap.ts';
import type { GatewayParts } from './create-parts.ts';
import { createFlowConfigController } from './flow-control/objects/flow-config-controller.ts';
import { registerHealthChecks } from './health/register-health-checks.ts';
import { startIdentityLease } from './server-endpoints/identity-lease.ts';
import { type KeptEndpoints, keepEndpoints } from './server-endpoints/keep-endpoints.ts';

/** The addresses that are known once the server listens. */
interface Listening {
  readonly port: number;
  /** The address for the Endpoints of the API's service; undefined: this server is not among them. */
  readonly advertisedAddress: string | undefined;
  /** The authorities of client certificates at the moment. */
  readonly authorities: () => ClientAuthorities;
}

/** The parts that run beside the server. */
export interface StartedParts {
  readonly bootstrap: Bootstrap;
  readonly flowConfig: Disposable;
  /** The APIServices of custom definitions. */
  readonly apiServices: Disposable;
  /** Undefined: this server is not among the Endpoints. */
  readonly endpoints: KeptEndpoints | undefined;
  /** Undefined: this server has no lease that says that it is alive. */
  readonly identity: Disposable | undefined;
  /** Resolves once everything is served. */
  readonly ready: Promise<void>;
}

/** Starts what runs beside the server, and registers the health checks; does not wait for other services. */
export function startParts(
  parts: GatewayParts,
  { port, advertisedAddress, authorities }: Listening,
): StartedParts {
  const { services, authorization, logger, clock } = parts;
  const { registry, storage, watchCache, health } = services;
  const added = clusterService(parts.settings, port);
  const changing = () => clientAuthorities({ authorities: authorities(), proxies: parts.settings }, clock());
  const seenRevision = seenRevisions(registry, watchCache);
  const keeping = { added, changing, seenRevision };
  const bootstrap = startBootstrap({ registry, storage, logger, clock, ...keeping });
  const flowConfig = createFlowConfigController({ ...services, logger });
  const apiServices = keepApiServices({ ...services, builtIn: registry.builtIn, logger });
  const loadRoles = async (cache: WatchCache): Promise<void> => {
    await cache.ready();
    await authorization.start();
    flowConfig.start();
    apiServices.start();
    await services.customDefinitions.start();
  };
  const rolesLoaded = loadRoles(watchCache);
  // Callers that wait for `ready` get the error; no other code needs it.
  rolesLoaded.catch(() => {});
  registerHealthChecks(health, {
    storage,
    watchCache,
    changeFeed: parts.changeFeed,
    bootstrap,
    rolesAreLoaded: () => authorization.isStarted && services.customDefinitions.isStarted,
    assertWebhookWorks: authorization.assertWebhookWorks,
    livezGracePeriod: parts.settings.livezGracePeriod,
    clock: () => performance.now(),
  });
  const ready = Promise.all([bootstrap.done, rolesLoaded]).then(() => {});
  const own = advertisedAddress === undefined ? undefined : { address: advertisedAddress, port };
  const endpoints = own && keepEndpoints({ registry, storage, clock, logger, own, ready });
  const identity = parts.settings.featureGates.isEnabled('APIServerIdentity')
    ? startIdentityLease({ registry, storage, clock, logger, hostname: hostname(), port, ready })
    : undefined;
  return { bootstrap, flowConfig, apiServices, endpoints, identity, ready };
}
