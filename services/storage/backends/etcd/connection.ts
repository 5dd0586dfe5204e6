import { BackendRefusal } from '@binnacle/backend-access';
import { type CallContext, deadlineIn, earlierDeadline, millisecondsUntil } from '@binnacle/proto';
import type { Etcd3 } from 'etcd3';
import { assertWanted, withinCall } from '../call-limits.ts';
import { createKeyLayout, type KeyLayout } from '../key-layout.ts';
import { AccessReport } from './access-report.ts';
import { isNoSpace } from './etcd-errors.ts';
import type { EtcdOptions } from './etcd-options.ts';
import { etcdRefusalFrom } from './etcd-refusal.ts';
import { EtcdSilence } from './etcd-silence.ts';
import { createMaintenance, type EtcdMaintenance } from './maintenance.ts';
import { createMembers } from './members.ts';
import { createPlaintextProbe } from './plaintext-probe.ts';
import type { EtcdRevision } from './revisions.ts';

type Kv = Etcd3['kv'];
type ResponseOf<Method extends keyof Kv> = Awaited<ReturnType<Kv[Method]>>;

/**
 * A connection to etcd. Every unary request has a deadline, and all but `range` reach etcd at most once. A request that etcd refuses
 * for lack of credentials or permission fails with a BackendRefusal and was not applied. While etcd does not answer at all, requests
 * fail at once and are not sent. So do all requests once an answer has come from another cluster than the first answer, or at an
 * earlier revision than an answer before the request: what this process knows of the store is not true of it. The outcome of the request
 * with that answer is unknown.
 */
export interface EtcdConnection extends Disposable {
  readonly layout: KeyLayout;
  /** The highest revision of etcd in any answer so far; 0 before the first. */
  readonly seenRevision: EtcdRevision;
  /** Calls back once, when the next request to etcd succeeds; returns the function that cancels this. */
  onNextAnswer(callback: () => void): () => void;
  range(request: Parameters<Kv['range']>[0], call: CallContext): Promise<ResponseOf<'range'>>;
  txn(request: Parameters<Kv['txn']>[0], call: CallContext): Promise<ResponseOf<'txn'>>;
  compact(request: Parameters<Kv['compact']>[0], call: CallContext): Promise<ResponseOf<'compact'>>;
  /** Opens a raw watch stream: the library's own watcher drops events when it has to catch up. */
  openWatch(call: CallContext): ReturnType<Etcd3['watchClient']['watch']>;
  openKeepAlive(): ReturnType<Etcd3['leaseClient']['leaseKeepAlive']>;
  grantLease(ttlSeconds: number, call: CallContext): Promise<string>;
  revokeLease(id: string, call: CallContext): Promise<void>;
  /** Maintenance of etcd itself. */
  readonly maintenance: EtcdMaintenance;
}

/** Milliseconds that a probe of a silent etcd waits for an answer. */
const probeTimeoutMs = 2000;

const repeatable = { isRepeatable: true };

/** Creates a connection, which opens with the first request and reopens when it breaks. */
export function connectEtcd(options: EtcdOptions): EtcdConnection {
  const report = new AccessReport(options.onAccess);
  const members = createMembers(options, report);
  const layout = createKeyLayout(options.prefix);
  const requestTimeoutMs = options.requestTimeoutMs ?? 5000;
  const askPlaintext = options.tls === undefined ? createPlaintextProbe(options.endpoints) : undefined;
  const silence = new EtcdSilence({
    probe: () => {
      const limits = { deadline: Date.now() + probeTimeoutMs };
      return members.run(({ kv }) => kv.range({ key: layout.bookmark, count_only: true }, limits));
    },
    onChange: options.onSilence ?? (() => {}),
  });
  let seenRevision = 0;
  const continuity = new Continuity();

  async function unary<T extends { header: { revision: string; cluster_id: string } }>(
    operation: string,
    send: (member: Etcd3, limits: { deadline: number }) => Promise<T>,
    call: CallContext,
    repetition?: { readonly isRepeatable: boolean },
  ): Promise<T> {
    assertWanted(call);
    if (continuity.refusal !== undefined) throw continuity.refusal;
    silence.assertAnswers();
    const revisionBefore = seenRevision;
    const deadline = earlierDeadline(call.deadline, deadlineIn(requestTimeoutMs));
    // The library takes a deadline of the wall clock, and converts it to a duration immediately.
    const limits = { deadline: Date.now() + millisecondsUntil(deadline) };
    const work = silence.watch(members.run(member => send(member, limits), repetition));
    const refusable = work.catch(thrown => refuse(operation, thrown));
    const response = await withinCall(refusable, { signal: call.signal, deadline });
    continuity.check(response.header, revisionBefore, refusal => report.refused(operation, refusal));
    report.accepted(operation);
    seenRevision = Math.max(seenRevision, Number(response.header.revision));
    return response;
  }

  async function refuse(operation: string, thrown: unknown): Promise<never> {
    if (isNoSpace(thrown)) options.onNoSpace?.();
    const refusal = etcdRefusalFrom(thrown) ?? (await askPlaintext?.(thrown));
    if (refusal === undefined) throw thrown;
    report.refused(operation, refusal);
    throw refusal;
  }

  const range: EtcdConnection['range'] = (request, call) =>
    unary('range', ({ kv }, limits) => kv.range(request, limits), call, repeatable);

  return {
    layout,
    get seenRevision() {
      return seenRevision;
    },
    onNextAnswer: callback => silence.onNextAnswer(callback),
    range,
    txn: (request, call) => unary('transaction', ({ kv }, limits) => kv.txn(request, limits), call),
    compact: (request, call) => unary('compaction', ({ kv }, limits) => kv.compact(request, limits), call),
    async openWatch(call) {
      // etcd checks the token of a watch only when it begins, and some versions report a stale token as a missing permission.
      if (options.user !== undefined) await range({ key: layout.bookmark, count_only: true }, call);
      return await members.open(member => member.watchClient.watch());
    },
    openKeepAlive: () => members.open(member => member.leaseClient.leaseKeepAlive()),
    async grantLease(ttlSeconds, call) {
      const request = { TTL: ttlSeconds };
      const grant = (member: Etcd3, limits: { deadline: number }) =>
        member.leaseClient.leaseGrant(request, limits);
      return (await unary('lease', grant, call)).ID;
    },
    async revokeLease(id, call) {
      await unary('lease', ({ leaseClient }, limits) => leaseClient.leaseRevoke({ ID: id }, limits), call);
    },
    maintenance: createMaintenance(options.endpoints, members),
    [Symbol.dispose]() {
      silence[Symbol.dispose]();
      members.close();
    },
  };
}

/** Finds out that answers come from another cluster than the first one, or from an earlier state of it. */
class Continuity {
  /** Set once that is so; it stays. */
  refusal: BackendRefusal | undefined;
  #cluster: string | undefined;

  /**
   * Checks the header of an answer: every request is linearizable, so it is at least as new as the answers before the request. Throws an
   * error that is no refusal, since the request was applied, elsewhere or to another state.
   */
  check(
    { cluster_id: id, revision }: { readonly cluster_id: string; readonly revision: string },
    revisionBefore: EtcdRevision,
    tell: (refusal: BackendRefusal) => void,
  ): void {
    this.#cluster ??= id;
    if (id === this.#cluster && Number(revision) >= revisionBefore) return;
    const text = `etcd cluster ${id} answers at revision ${revision}, after cluster ${this.#cluster} at revision ${revisionBefore}`;
    this.refusal = new BackendRefusal('etcd', 'replaced', { cause: new Error(text) });
    tell(this.refusal);
    throw new Error(text);
  }
}
