import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type ConnectionGuard, closeServer } from '@binnacle/service-kit';
import type { Audit } from './audit/audit.ts';
import type { GatewayParts } from './create-parts.ts';
import type { StartedParts } from './start-parts.ts';

/** A gateway that listens, with what it has to end. */
interface RunningGateway {
  readonly parts: GatewayParts;
  readonly started: StartedParts;
  readonly server: Server;
  readonly guard: ConnectionGuard;
  /** Undefined: certificates are not followed. */
  readonly following: Disposable | undefined;
  readonly audit: Audit | undefined;
  /** From now on answers tell clients to connect anew. */
  readonly onStopping: () => void;
}

/** Shortest time that audit events have for their delivery at the stop, in ms. */
const leastFlushMs = 1_000;

/** Stops a gateway: turns balancers away, drains connections and watches, then ends its parts in order. */
export async function stopGateway(running: RunningGateway): Promise<void> {
  const { parts, started, server, guard, following, audit } = running;
  const { settings, services, authorization } = parts;
  services.health.startShutdown();
  const left = started.endpoints?.leave();
  await pause(settings.shutdownDelayDuration / 2);
  // Balancers have turned away by now. Clients that reconnect get another gateway, so that few connections are left to
  // be closed between two requests, when the next one may be on its way.
  running.onStopping();
  await pause(settings.shutdownDelayDuration / 2);
  following?.[Symbol.dispose]();
  const drainsUntil = performance.now() + settings.shutdownDrainDuration;
  const closed = closeServer(server, guard, settings.shutdownDrainDuration);
  await services.watchCache.drain(settings.shutdownDrainDuration / 2);
  await closed;
  // Requests that are drained end no later than their credentials either.
  services.credentialChecks[Symbol.dispose]();
  started.bootstrap[Symbol.dispose]();
  started.apiServices[Symbol.dispose]();
  started.identity?.[Symbol.dispose]();
  services.customDefinitions[Symbol.dispose]();
  await authorization[Symbol.asyncDispose]();
  await left;
  started.flowConfig[Symbol.dispose]();
  services.flowControl?.[Symbol.dispose]();
  await services.watchCache[Symbol.asyncDispose]();
  await audit?.close(Math.max(leastFlushMs, drainsUntil - performance.now()));
}
