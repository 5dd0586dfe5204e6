import type { CallContext } from '@binnacle/proto';
import type { Revision } from '@binnacle/storage-contract';
import type { Etcd3 } from 'etcd3';
import { assertWanted, withinCall } from '../call-limits.ts';
import { createKeyLayout, type KeyLayout } from '../key-layout.ts';
import { createMembers } from './members.ts';

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

/** A connection to etcd: every unary request has a deadline and reaches etcd at most once. */
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

/** Prepares the connection; it is made with the first request, and made anew when it breaks. */
export function connectEtcd(options: EtcdOptions): EtcdConnection {
  const members = createMembers(options);
  const requestTimeoutMs = options.requestTimeoutMs ?? 5000;
  let seenRevision = 0;

  async function unary<T extends { header: { revision: string } }>(
    send: (member: Etcd3, limits: { deadline: number }) => Promise<T>,
    call: CallContext,
  ): Promise<T> {
    assertWanted(call);
    const deadline = Math.min(call.deadline, Date.now() + requestTimeoutMs);
    const response = await withinCall(
      members.run(member => send(member, { deadline })),
      { signal: call.signal, deadline },
    );
    seenRevision = Math.max(seenRevision, Number(response.header.revision));
    return response;
  }

  return {
    layout: createKeyLayout(options.prefix),
    get seenRevision() {
      return seenRevision;
    },
    range: (request, call) => unary(({ kv }, limits) => kv.range(request, limits), call),
    txn: (request, call) => unary(({ kv }, limits) => kv.txn(request, limits), call),
    compact: (request, call) => unary(({ kv }, limits) => kv.compact(request, limits), call),
    openWatch: () => members.open(member => member.watchClient.watch()),
    openKeepAlive: () => members.open(member => member.leaseClient.leaseKeepAlive()),
    async grantLease(ttlSeconds, call) {
      const request = { TTL: ttlSeconds };
      return (await unary(({ leaseClient }, limits) => leaseClient.leaseGrant(request, limits), call)).ID;
    },
    async revokeLease(id, call) {
      await unary(({ leaseClient }, limits) => leaseClient.leaseRevoke({ ID: id }, limits), call);
    },
    [Symbol.dispose]: () => members.close(),
  };
}
