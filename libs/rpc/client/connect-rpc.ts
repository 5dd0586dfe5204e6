import type { Vocabulary } from '@binnacle/api-names';
import type { CallContext, MethodContract, ServiceContract } from '@binnacle/proto';
import { ConnectionLost, serviceUnavailable, statusErrorFrom } from '@binnacle/status-errors';
import { type Logger, type Metrics, silentLogger } from '@binnacle/telemetry';
import { createCallMetrics } from '../protocol/call-metrics.ts';
import { shortServiceName } from '../protocol/method-table.ts';
import type { TransportSecurity } from '../protocol/transport-security.ts';
import { LinkPool } from './link-pool.ts';
import { OverdueCalls, type OverduePolicy, type Recover, type Send } from './overdue-calls.ts';
import type { PeerRefusals } from './peer-refusals.ts';
import { type LookupAll, parseAddress } from './resolve-addresses.ts';
import type { Session } from './session.ts';
import { streamingCall } from './streaming-call.ts';
import { unaryCall } from './unary-call.ts';
import { UsualWaits } from './usual-waits.ts';

/** How a client finds and calls the pods of a service. */
export type RpcClientOptions<Service extends object = object> = TransportSecurity & {
  /** `host:port` each; a DNS name stands for all its addresses and is resolved again as time goes. */
  readonly addresses: readonly string[];
  /** The name that the server's certificate must hold; default: the host of the address. */
  readonly serverName?: string;
  /**
   * Unary methods that may be processed twice: they go to another pod when the connection breaks, and to a second one when their
   * pod is silent.
   */
  readonly repeatable?: readonly (keyof Service & string)[];
  /** Those among them that also go to a second pod when they wait longer than their like; none of them waits for strangers' servers. */
  readonly hedged?: readonly (keyof Service & string)[];
  /** How the answers of unary methods that may not be processed twice are found when their pod is silent or lost. */
  readonly recover?: RecoveryOf<Service>;
  /** How often names are resolved again; default: 30 s. */
  readonly resolveIntervalMs?: number;
  /** Resolves names; default: the system's resolver. */
  readonly lookup?: LookupAll;
  /** Hears of pods that have other API names. */
  readonly peers?: PeerRefusals;
  /** The API names that the pods must have; default: those of this process. */
  readonly apiNames?: Vocabulary;
  readonly log?: Logger;
  readonly metrics?: Metrics;
};

/** Recoveries by the names of the methods. */
type RecoveryOf<Service> = {
  readonly [Method in keyof Service & string]?: Service[Method] extends (
    request: infer Request,
    call: CallContext,
  ) => Promise<infer Response>
    ? Recover<Request, Response>
    : never;
};

/** A client of a service: the service's own interface, until it is disposed of. */
export type RpcClient<Service extends object> = Service & AsyncDisposable;

/**
 * Builds a client; connections are made in the background and kept.
 *
 * A call waits for a connection only while one is being made; when no pod can be reached it fails at once with a 503
 * that names the service. A pod that stops says so before it refuses anything, and new calls go to the others; those that wait for a pod
 * that has fallen silent go to a second one too. A call whose
 * connection breaks goes to another pod, within its deadline, when no handler can have seen it or the method is one of
 * `repeatable`; else what became of it is found by `recover`, or it fails with `ConnectionLost`: its outcome is unknown. Pods with other API names are not
 * called. Errors are `StatusError`s, always.
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
    const member = async (request: unknown, call: CallContext): Promise<unknown> => {
      const ended = metrics.start(policy.label);
      try {
        const response = await sendTo(way, request, call);
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
  const send = method.hot ? hotSend(method) : ownSend(method, service);
  // The types of requests and answers are those of the method that the name stands for.
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

function hotSend(method: MethodContract): Send {
  return (session, request, call) => session.call(method, request, call);
}

function ownSend(method: MethodContract, service: string): Send {
  return (session, request, call) => unaryCall(session, { method, service }, { request, call });
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
      // It never happened, which a caller that writes must not take for an unknown outcome.
      if (attempt === maxAttempts) throw error.isUnprocessed ? serviceUnavailable(error.message) : error;
      failed = session;
    }
  }
}

/** Pods that one call is sent to at most, when one after the other is lost. */
const maxAttempts = 3;

function streamingMember(pool: LinkPool, method: MethodContract, service: string) {
  return async function* (request: unknown, call: CallContext): AsyncGenerator<unknown, void, undefined> {
    const session = pool.pickByTurn() ?? (await pool.wait(call));
    yield* streamingCall(session, { method, service }, { request, call });
  };
}
