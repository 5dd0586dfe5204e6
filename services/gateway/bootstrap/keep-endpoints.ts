import { createCallContext } from '@binnacle/rpc';
import { FailureLog, type Logger } from '@binnacle/telemetry';
import { type ServerAddress, ServerLeases } from './server-leases.ts';
import { type EndpointsServices, writeEndpoints } from './write-endpoints.ts';

interface KeepEndpointsOptions extends EndpointsServices {
  readonly own: ServerAddress;
  /** Resolves once this server serves everything; it is added to the Endpoints only then. */
  readonly ready: Promise<void>;
  readonly logger: Logger;
}

/** This server among the Endpoints of the API's service. */
export interface KeptEndpoints {
  /** Takes this server out of the Endpoints; resolves when that is written, or after a few seconds without success. */
  leave(): Promise<void>;
}

/** Delay between two passes. A server that dies is removed after four passes: the first one still sees its last renewal. */
const everyMs = 3_000;
const passTimeoutMs = 3_000;

/** Keeps the Endpoints of the API's service in step with the servers that are alive, this one among them. */
export function keepEndpoints(options: KeepEndpointsOptions): KeptEndpoints {
  const { own, ready, logger } = options;
  const leases = new ServerLeases(options.storage, own);
  const failures = new FailureLog({
    log: logger,
    failed: 'endpoints of the servers cannot be written, retrying',
    worked: 'endpoints of the servers were written after failures',
  });
  let timer: NodeJS.Timeout | undefined;
  let isLeaving = false;
  /** The last pass; undefined before the first one, when there is no lease to remove. */
  let pass: Promise<void> | undefined;

  const attempt = async (): Promise<void> => {
    try {
      using call = createCallContext({ timeoutMs: passTimeoutMs });
      await leases.renew(call);
      await leases.removeSilent(call);
      await writeEndpoints(options, () => leases.servers(call), call);
      failures.worked();
    } catch (error) {
      failures.failed(error);
    }
    if (!isLeaving) timer = setTimeout(next, everyMs).unref();
  };
  const next = (): void => {
    if (!isLeaving) pass = attempt();
  };
  ready.then(next, () => {});

  return {
    async leave() {
      isLeaving = true;
      clearTimeout(timer);
      if (pass === undefined) return;
      // A renewal under way would take the lease again.
      await pass;
      try {
        using call = createCallContext({ timeoutMs: passTimeoutMs });
        await leases.remove(call);
        await writeEndpoints(options, () => leases.servers(call), call);
      } catch (error) {
        logger.warn('this server stays in the endpoints until its lease expires', { error });
      }
    },
  };
}
