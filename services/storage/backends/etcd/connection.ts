import type { CallContext } from '@binnacle/proto';
import type { Revision } from '@binnacle/storage-contract';
import { Etcd3, type IOptions } from 'etcd3';
import { assertWanted, withinCall } from '../call-limits.ts';
import { createKeyLayout, type KeyLayout } from '../key-layout.ts';

type Kv = Etcd3['kv'];
type ResponseOf<Method extends keyof Kv> = Awaited<ReturnType<Kv[Method]>>;

/** Where etcd is and how to reach it. */
export interface EtcdOptions {
  /** `http://host:port` or `https://host:port` of each member. */
  readonly endpoints: readonly string[];
  /** What every key begins with: `/binnacle`. */
  readonly prefix: string;
  /** Makes connections TLS; key and certificate when etcd asks for a client certificate. */
  readonly tls?: { readonly ca: Buffer; readonly key?: Buffer; readonly certificate?: Buffer };
  /** Milliseconds that one request may take, whatever the call's deadline; default 5000. */
  readonly requestTimeoutMs?: number;
}

/** A connection to etcd: every unary request has a deadline and is sent once. */
export interface EtcdConnection extends Disposable {
  readonly layout: KeyLayout;
  /** The newest revision that any answer named; 0 before the first. */
  readonly seenRevision: Revision;
  range(request: Parameters<Kv['range']>[0], call: CallContext): Promise<ResponseOf<'range'>>;
  txn(request: Parameters<Kv['txn']>[0], call: CallContext): Promise<ResponseOf<'txn'>>;
  compact(request: Parameters<Kv['compact']>[0], call: CallContext): Promise<ResponseOf<'compact'>>;
  /** A raw watch stream: the library's own watcher leaves events out when it has to catch up. */
  openWatch(): ReturnType<Etcd3['watchClient']['watch']>;
  openKeepAlive(): ReturnType<Etcd3['leaseClient']['leaseKeepAlive']>;
  grantLease(ttlSeconds: number, call: CallContext): Promise<string>;
  revokeLease(id: string, call: CallContext): Promise<void>;
}

/** Half-open connections are found within 13 s; reconnects begin at once and never wait long. */
const channelOptions = {
  'grpc.max_receive_message_length': -1,
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 3000,
  'grpc.keepalive_permit_without_calls': 1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.min_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1000,
};

/** The library retries transactions and opens circuit breakers by default; neither is safe for a compare-and-swap. */
const noFaultHandling = {
  execute: <T>(work: (context: { signal: AbortSignal }) => T) =>
    Promise.resolve({ signal: never }).then(work),
};
const never = new AbortController().signal;

/** Prepares the connection; it is made with the first request, and made anew when it breaks. */
export function connectEtcd(options: EtcdOptions): EtcdConnection {
  const policy = noFaultHandling as unknown as NonNullable<NonNullable<IOptions['faultHandling']>['global']>; // The library calls nothing but `execute`.
  const client = new Etcd3({
    hosts: [...options.endpoints],
    ...(options.tls === undefined ? {} : { credentials: credentialsFrom(options.tls) }),
    grpcOptions: channelOptions,
    faultHandling: { global: policy, host: () => policy },
  });
  const requestTimeoutMs = options.requestTimeoutMs ?? 5000;
  let seenRevision = 0;

  async function unary<T extends { header: { revision: string } }>(
    send: (options: { deadline: number }) => Promise<T>,
    call: CallContext,
  ): Promise<T> {
    assertWanted(call);
    const deadline = Math.min(call.deadline, Date.now() + requestTimeoutMs);
    const response = await withinCall(send({ deadline }), { signal: call.signal, deadline });
    seenRevision = Math.max(seenRevision, Number(response.header.revision));
    return response;
  }

  return {
    layout: createKeyLayout(options.prefix),
    get seenRevision() {
      return seenRevision;
    },
    range: (request, call) => unary(limits => client.kv.range(request, limits), call),
    txn: (request, call) => unary(limits => client.kv.txn(request, limits), call),
    compact: (request, call) => unary(limits => client.kv.compact(request, limits), call),
    openWatch: () => client.watchClient.watch(),
    openKeepAlive: () => client.leaseClient.leaseKeepAlive(),
    async grantLease(ttlSeconds, call) {
      return (await unary(limits => client.leaseClient.leaseGrant({ TTL: ttlSeconds }, limits), call)).ID;
    },
    async revokeLease(id, call) {
      await unary(limits => client.leaseClient.leaseRevoke({ ID: id }, limits), call);
    },
    [Symbol.dispose]: () => client.close(),
  };
}

function credentialsFrom(tls: NonNullable<EtcdOptions['tls']>): NonNullable<IOptions['credentials']> {
  return {
    rootCertificate: tls.ca,
    ...(tls.key === undefined ? {} : { privateKey: tls.key }),
    ...(tls.certificate === undefined ? {} : { certChain: tls.certificate }),
  };
}
