import type { Vocabulary } from '@binnacle/api-names';
import type { CallContext, MethodContract, ServiceContract } from '@binnacle/proto';
import { ConnectionLost, serviceUnavailable, statusErrorFrom } from '@binnacle/status-errors';
import { type Logger, type Metrics, silentLogger } from '@binnacle/telemetry';
import { createCallMetrics } from '../protocol/call-metrics.ts';
import { shortServiceName } from '../protocol/method-table.ts';
import type { TransportSecurity } from '../protocol/transport-security.ts';
import { inSpan } from '../trace/in-span.ts';
import { LinkPool } from './link-pool.ts';
import { OverdueCalls, type OverduePolicy, type Recover, type Send } from './overdue-calls.ts';
import type { PeerRefusals } from './peer-refusals.ts';
import { type LookupAll, parseAddress } from './resolve-addresses.ts';
import type { Session } from './session.ts';
import { streamingCall } from './streaming-call.ts';
import { unaryCall } from './unary-call.ts';
import { UsualWaits } from './usual-waits.ts';

/** Options of an RPC client: how it finds and calls the pods of a service. */
export type RpcClientOptions<Service extends object = object> = TransportSecurity & {
  /** `host:port` each; a DNS name stands for all its addresses and is resolved periodically. */
  readonly addresses: readonly string[];
  /** The name that the server's certificate must be valid for; default: the host of the address. */
  readonly serverName?: string;
  /**
   * Unary methods that may be processed twice. Their calls are retried on another pod when the connection breaks, and
   * sent to a second pod when theirs is silent.
   */
  readonly repeatable?: readonly (keyof Service & string)[];
  /**
   * Repeatable methods whose calls also go to a second pod when they are slower than 99 % of the recent ones. Only for
   * methods whose duration does not depend on external servers, such as webhooks.
   */
  readonly hedged?: readonly (keyof Service & string)[];
  /** Recoveries of unary methods that may not be processed twice, for calls whose pod is silent or lost. */
  readonly recover?: RecoveryOf<Service>;
  /** Interval at which DNS names are resolved, in ms; default: 30,000. */
  readonly resolveIntervalMs?: number;
  /** Resolves DNS names; default: the system's resolver. */
  readonly lookup?: LookupAll;
  /** Collects refusals by pods with other API names, for the readiness of the process. */
  readonly peers?: PeerRefusals;
  /** The API names that the pods must have; default: those of this process. */
  readonly apiNames?: Vocabulary;
  readonly log?: Logger;
  readonly metrics?: Metrics;
};

/** Recoveries by method name. */
type RecoveryOf<Service> = {
  readonly [Method in keyof Service & string]?: Service[Method] extends (
    request: infer Request,
    call: CallContext,
  ) => Promise<infer Response>
    ? Recover<Request, Response>
    : never;
};

/** A client of a service: the service's interface, usable until the client is disposed of. */
export type RpcClient<Service extends object> = Service & AsyncDisposable;

/**
 * Creates a client; it connects in the background and keeps its connections.
 *
 * A call waits for a connection only while an attempt is under way; when no pod is reachable, the call fails at once
 * with a 503 that names the service. A pod that stops sends DRAIN before it refuses calls, and new calls go to the other
 * pods. Repeatable calls that wait for a silent pod are also sent to a second one. A call whose connection breaks is
 * retried on another pod, within its deadline, if no handler has seen it or its method is one of `repeatable`; otherwise
 * `recover` finds its outcome, or the call fails with `ConnectionLost`: its outcome is unknown. The client does not call
 * pods with other API names. Calls reject only with a `StatusError`.
 */
export function connectRpc<Service extends object>(
  contract: ServiceContract<Service>,
  options: RpcClientOptions<NoInfer<Service>>,
): RpcClient<Service> {
  for (const address of options.addresses) parseAddress(address);
  const service = shortServiceName(contract.name);
  const metrics = createCallMetrics('client', options.metrics);
  const pool = new LinkPool({
    addresses: options.addresses,
    service,
    security: options.tls ? { tls: options.tls } : { insecure: true },
    serverName: options.serverName,
    apiNames: options.apiNames,
    log: (options.log ?? silentLogger).child({ component: 'rpc-client', service }),
    lookup: options.lookup,
    resolveIntervalMs: options.resolveIntervalMs ?? 30_000,
    onLook: (session, underWay) => overdue.look(session, underWay),
  });
  const policies = new Map<MethodContract, OverduePolicy>();
  const overdue = new OverdueCalls(pool, policies, options.metrics);
  options.peers?.follow(() => pool.refusal);
  const members = contract.methods.map(method => {
    if (method.serverStreaming) return [method.name, streamingMember(pool, method, service)];
    const policy = choosePolicy(method, options, service);
    if (policy.isRepeatable || policy.recover !== undefined) policies.set(method, policy);
    const way: Way = { pool, overdue, policy };
    const spanName = method.path.slice(1);
    const member = async (request: unknown, call: CallContext): Promise<unknown> => {
      const ended = metrics.start(policy.label);
      try {
        const response = await (call.trace?.isSampled === true
          ? inSpan(call, { name: spanName, kind: 'client' }, traced => sendTo(way, request, traced))
          : sendTo(way, request, call));
        ended();
        return response;
      } catch (error) {
        const statusError = statusErrorFrom(error);
        ended(statusError);
        throw statusError;
      }
    };
    return [method.name, member];
  });
  // The contract's type ties its methods to the members of the interface.
  const client = Object.fromEntries(members) as Service;
  return Object.assign(client, { [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose]() });
}

function choosePolicy<Service extends object>(
  method: MethodContract,
  options: RpcClientOptions<Service>,
  service: string,
): OverduePolicy {
  const isIn = (names: readonly string[] = []) => names.includes(method.name);
  const send = createSend(method, service);
  // `RecoveryOf` ties each method name to the request and response types of its method.
  const recover = (options.recover as Record<string, Recover<unknown, unknown>> | undefined)?.[method.name];
  const isHedged = isIn(options.hedged);
  return {
    label: `${service}.${method.name}`,
    send,
    isRepeatable: isHedged || isIn(options.repeatable),
    ...(isHedged && { waits: new UsualWaits() }),
    ...(recover && { recover }),
  };
}

/** Creates the function that sends calls of a method: on the call stream if the method is hot and the pod accepts it there. */
function createSend(method: MethodContract, service: string): Send {
  return (session, request, call) =>
    method.hot && session.acceptsOnStream(method)
      ? session.call(method, request, call)
      : unaryCall(session, { method, service }, { request, call });
}

interface Way {
  readonly pool: LinkPool;
  readonly overdue: OverdueCalls;
  readonly policy: OverduePolicy;
}

async function sendTo({ pool, overdue, policy }: Way, request: unknown, call: CallContext): Promise<unknown> {
  overdue.called(policy);
  let failed: Session | undefined;
  for (let attempt = 1; ; attempt++) {
    const session = pool.pick(failed) ?? (await pool.wait(call));
    try {
      return await policy.send(session, request, call);
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      if (!policy.isRepeatable && !error.isUnprocessed) {
        const found = overdue.lost(session, { policy, request, call, error });
        if (found === undefined) throw error;
        return await found;
      }
      // An unprocessed call has no effect, so the caller must not see an unknown outcome.
      if (attempt === maxAttempts) throw error.isUnprocessed ? serviceUnavailable(error.message) : error;
      failed = session;
    }
  }
}

/** Maximum number of attempts of one call when connections break. */
const maxAttempts = 3;

function streamingMember(pool: LinkPool, method: MethodContract, service: string) {
  return async function* (request: unknown, call: CallContext): AsyncGenerator<unknown, void, undefined> {
    const session = pool.pickByTurn() ?? (await pool.wait(call));
    yield* streamingCall(session, { method, service }, { request, call });
  };
}
