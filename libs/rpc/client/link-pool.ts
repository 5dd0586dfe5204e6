import type { Vocabulary } from '@binnacle/api-names';
import type { Refusal } from '@binnacle/backend-access';
import type { CallContext } from '@binnacle/proto';
import { type StatusError, serviceUnavailable } from '@binnacle/status-errors';
import type { Logger } from '@binnacle/telemetry';
import type { CallUnderWay } from '../call-stream/call-under-way.ts';
import { maxBatchFrames } from '../call-stream/limits.ts';
import { abortError } from '../protocol/abort-error.ts';
import type { TransportSecurity } from '../protocol/transport-security.ts';
import { Link } from './link.ts';
import { type LookupAll, type ResolvedAddress, resolveAddresses } from './resolve-addresses.ts';
import type { Session } from './session.ts';

/** Options of a pool of links. */
interface LinkPoolOptions {
  readonly addresses: readonly string[];
  readonly service: string;
  readonly security: TransportSecurity;
  readonly serverName: string | undefined;
  readonly apiNames: Vocabulary | undefined;
  readonly log: Logger;
  readonly lookup: LookupAll | undefined;
  readonly resolveIntervalMs: number;
  /** Called for each call under way, every 50 ms. */
  readonly onLook: (session: Session, underWay: CallUnderWay) => void;
}

/** Minimum interval between two DNS lookups that follow connection failures, in ms. */
const minResolveIntervalMs = 1_000;

/** The time after a pod is gone in which its successor is looked for at that interval, in ms. */
const replacedWithinMs = 30_000;

/** Maximum number of consecutive calls of one turn of the event loop that go to the same pod. */
const callsPerPick = maxBatchFrames;

/**
 * The links to all pods of a service.
 *
 * Calls go to one pod while it has room, because calls that are sent together cost least. All clients choose the same
 * pod: the one that reports itself as preferred, else the first by address. Further calls are distributed round-robin;
 * up to 32 calls of one turn of the event loop go to the same pod, since they are sent as one message.
 */
export class LinkPool implements AsyncDisposable {
  readonly #options: LinkPoolOptions;
  #links: Link[] = [];
  #turn = 0;
  /** The session that the calls of this turn share, and the number of calls that may still join. */
  #shared: Session | undefined;
  #sharedLeft = 0;
  #isTurnEndDue = false;
  #waiting = new Set<() => void>();
  #resolving: Promise<void> | undefined;
  #resolvedOnce = false;
  #resolvedAt = 0;
  /** Until then the successor of a pod that is gone is looked for: once the next pod stops, a lookup can take too long. */
  #replacedUntil = 0;
  #successorTimer: NodeJS.Timeout | undefined;
  #resolveError: unknown;
  #disposed = false;
  readonly #resolveTimer: NodeJS.Timeout;

  constructor(options: LinkPoolOptions) {
    this.#options = options;
    this.#resolveTimer = setInterval(() => void this.#resolve(), options.resolveIntervalMs).unref();
    void this.#resolve();
  }

  /** Number of pods that accept calls now. */
  get openLinks(): number {
    return this.#links.filter(link => link.session).length;
  }

  /** The refusal by a pod, if no pod accepts calls because of one. */
  get refusal(): Refusal | undefined {
    return this.openLinks > 0 ? undefined : this.#links.find(link => link.refusal)?.refusal;
  }

  /**
   * The session to the first pod if it has room, else the shared session of this turn, else the next usable one; never
   * `except`. A silent pod is chosen only if no other answers, a draining one only if there is no other at all.
   * Undefined if there is no session at the moment.
   */
  pick(except?: Session): Session | undefined {
    const first = this.#first();
    if (first?.hasRoom && first !== except) return first;
    const shared = this.#shared;
    if (shared?.usable && shared !== except && !shared.isSilent && this.#sharedLeft > 0) {
      this.#sharedLeft--;
      return shared;
    }
    const session = this.#next(except);
    if (this.#links.length > 1) this.#share(session);
    return session;
  }

  /** A usable session to a pod that is not silent, for a call that waits at `except`. */
  pickElse(except: Session): Session | undefined {
    const session = this.pick(except);
    return session?.usable && !session.isSilent ? session : undefined;
  }

  #first(): Session | undefined {
    let first: Session | undefined;
    for (const { session } of this.#links) {
      if (session?.isPreferred) return session;
      first ??= session;
    }
    return first;
  }

  /** The next session in round-robin order: long-lived streams are spread over all pods. */
  pickByTurn(): Session | undefined {
    return this.#next(undefined);
  }

  #share(session: Session | undefined): void {
    this.#shared = session;
    this.#sharedLeft = callsPerPick - 1;
    if (this.#isTurnEndDue || session === undefined) return;
    this.#isTurnEndDue = true;
    setImmediate(() => {
      this.#isTurnEndDue = false;
      this.#shared = undefined;
    });
  }

  #next(except: Session | undefined): Session | undefined {
    let fallback: Session | undefined;
    let lastResort: Session | undefined;
    for (let step = 0; step < this.#links.length; step++) {
      this.#turn = (this.#turn + 1) % this.#links.length;
      const link = this.#links[this.#turn];
      if (link?.lastResort !== except) lastResort ??= link?.lastResort;
      const session = link?.session;
      if (!session || session === except) continue;
      if (!session.isSilent) return session;
      fallback ??= session;
    }
    return fallback ?? lastResort;
  }

  /**
   * Waits until a session is usable; rejects when the call ends, or as soon as no connection attempt is under way. Links
   * in a backoff pause reconnect now.
   */
  async wait(call: CallContext): Promise<Session> {
    for (const link of this.#links) link.expedite();
    while (true) {
      if (this.#disposed) throw serviceUnavailable(`the client of ${this.#options.service} is closed`);
      if (call.signal.aborted) throw abortError(call);
      const session = this.pick();
      if (session) return session;
      if (this.#hopeless()) throw this.#unreachable();
      await this.#nextChange(call);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true;
    clearInterval(this.#resolveTimer);
    clearTimeout(this.#successorTimer);
    for (const link of this.#links) link[Symbol.dispose]();
    this.#links = [];
    this.#changed();
  }

  #hopeless(): boolean {
    return this.#resolvedOnce && !this.#resolving && !this.#links.some(link => link.connecting);
  }

  #unreachable(): StatusError {
    const error = serviceUnavailable(`${this.#options.service} cannot be reached`);
    error.cause =
      this.refusal ?? this.#links.find(link => link.lastError !== undefined)?.lastError ?? this.#resolveError;
    return error;
  }

  #nextChange(call: CallContext): Promise<void> {
    return new Promise(resolve => {
      const wake = () => {
        this.#waiting.delete(wake);
        call.signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      call.signal.addEventListener('abort', wake);
    });
  }

  #changed(): void {
    if (this.openLinks > 0) for (const link of this.#links) link.leaveLastResort();
    for (const wake of [...this.#waiting]) wake();
  }

  async #resolve(): Promise<void> {
    this.#resolving ??= this.#resolveNow().finally(() => {
      this.#resolving = undefined;
      this.#changed();
    });
    await this.#resolving;
  }

  async #resolveNow(): Promise<void> {
    this.#resolvedAt = performance.now();
    try {
      const resolved = await resolveAddresses(this.#options.addresses, this.#options.lookup);
      if (!this.#disposed) this.#adopt(resolved);
      this.#resolveError = undefined;
    } catch (error) {
      // The client keeps the known pods: they may serve while the name server is down.
      this.#resolveError = error;
      this.#options.log.warn('addresses cannot be resolved', { addresses: this.#options.addresses, error });
    }
    this.#resolvedOnce = true;
    clearTimeout(this.#successorTimer);
    if (performance.now() < this.#replacedUntil && !this.#disposed)
      this.#successorTimer = setTimeout(() => void this.#resolve(), minResolveIntervalMs).unref();
  }

  #adopt(resolved: readonly ResolvedAddress[]): void {
    const wanted = new Set(resolved.map(({ target }) => target));
    const known = new Set(this.#links.map(link => link.target));
    const gone = this.#links.filter(link => !wanted.has(link.target));
    if (gone.length > 0) this.#replacedUntil = performance.now() + replacedWithinMs;
    for (const link of gone) link.retire();
    this.#links = this.#links.filter(link => wanted.has(link.target));
    for (const address of resolved) {
      if (!known.has(address.target)) this.#links.push(this.#createLink(address));
    }
    this.#links.sort((a, b) => (a.target < b.target ? -1 : Number(a.target > b.target)));
  }

  #createLink(address: ResolvedAddress): Link {
    const { service, security, serverName, apiNames, log, onLook } = this.#options;
    return new Link({
      address,
      service,
      security,
      serverName,
      apiNames,
      log,
      onLook,
      onChange: () => this.#changed(),
      onFailure: () => {
        if (performance.now() - this.#resolvedAt >= minResolveIntervalMs) void this.#resolve();
      },
    });
  }
}
