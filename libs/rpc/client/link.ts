import type { Vocabulary } from '@binnacle/api-names';
import { type Refusal, refusalIn } from '@binnacle/backend-access';
import { ownBuild } from '@binnacle/build-info';
import { Backoff } from '@binnacle/event-loop';
import type { Logger } from '@binnacle/telemetry';
import type { CallUnderWay } from '../call-stream/call-under-way.ts';
import type { TransportSecurity } from '../protocol/transport-security.ts';
import type { ResolvedAddress } from './resolve-addresses.ts';
import { Session } from './session.ts';

/** Options of a link. */
interface LinkOptions {
  readonly address: ResolvedAddress;
  readonly service: string;
  readonly security: TransportSecurity;
  readonly serverName: string | undefined;
  readonly apiNames: Vocabulary | undefined;
  readonly log: Logger;
  /** The link became usable, or an attempt failed. */
  readonly onChange: () => void;
  /** Called for each call under way, every 50 ms. */
  readonly onLook: (session: Session, underWay: CallUnderWay) => void;
  /** A connection was lost, an attempt failed, or the pod drains: its address may have been replaced. */
  readonly onFailure: () => void;
}

const openTimeoutMs = 5_000;
const firstBackoffMs = 100;
const maxBackoffMs = 2_000;

/** A session that lasted this long was stable, in ms: the link reconnects without a pause. */
const steadyMs = 1_000;

/** Duration after which a drained session counts as stable, in ms; a server that drains earlier is about to stop. */
const steadyDrainMs = 50;

/** Minimum pause after a failed attempt, in ms, even when a call waits for a pod. */
const expediteMs = 50;

/** Keeps one session to one pod: opens it, replaces it when it drains or breaks, and backs off while attempts fail. */
export class Link implements Disposable {
  readonly #options: LinkOptions;
  #session: Session | undefined;
  /** The draining session, kept while no other pod is known. */
  #draining: Session | undefined;
  #openedAt = 0;
  #failedAt = 0;
  readonly #backoff = new Backoff({ firstMs: firstBackoffMs, longestMs: maxBackoffMs });
  #retryTimer: NodeJS.Timeout | undefined;
  #disposed = false;
  /** The release of the last session's pod where it is another one than that of this process. */
  #otherRelease: string | undefined;
  /** The error of the last attempt; undefined once a session is open. */
  lastError: unknown;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#connect();
  }

  /** The pod's `ip:port`. */
  get target(): string {
    return this.#options.address.target;
  }

  /** The session that accepts calls now, if there is one. */
  get session(): Session | undefined {
    return this.#session?.usable ? this.#session : undefined;
  }

  /** The draining session, for calls that have no other pod. */
  get lastResort(): Session | undefined {
    return this.#draining?.isLastResort ? this.#draining : undefined;
  }

  /** The refusal between the pod and this client, if there is one. */
  get refusal(): Refusal | undefined {
    return refusalIn(this.lastError);
  }

  /** Whether a connection attempt is under way. */
  get connecting(): boolean {
    return this.#session !== undefined && !this.#session.usable;
  }

  /** Ends the backoff pause, for a call that has no other pod. */
  expedite(): void {
    if (this.#disposed || this.#session !== undefined || performance.now() - this.#failedAt < expediteMs)
      return;
    clearTimeout(this.#retryTimer);
    this.#connect();
  }

  /** Closes the draining session after its last call, because another session is open. */
  leaveLastResort(): void {
    this.#draining?.leave();
    this.#draining = undefined;
  }

  /** Opens no further session; the present one closes after its last call. */
  retire(): void {
    this.#disposed = true;
    clearTimeout(this.#retryTimer);
    this.leaveLastResort();
    this.#session?.leave();
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    clearTimeout(this.#retryTimer);
    this.#draining?.close();
    this.#session?.close();
  }

  #connect(): void {
    const { address, service, security, serverName, apiNames, onLook } = this.#options;
    const session: Session = new Session({
      address,
      service,
      security,
      serverName,
      apiNames,
      openTimeoutMs,
      onOpen: otherRelease => this.#opened(otherRelease),
      onDrain: () => this.#replace(session),
      onClose: cause => this.#closed(session, cause),
      onLongSilence: isSilent => this.#noteSilence(isSilent),
      onLook,
    });
    this.#session = session;
  }

  #noteSilence(isSilent: boolean): void {
    const { log } = this.#options;
    if (isSilent) log.warn('a pod does not answer, using other pods', { target: this.target });
    else log.info('the pod answers again', { target: this.target });
  }

  #opened(otherRelease: string | undefined): void {
    this.#openedAt = performance.now();
    this.lastError = undefined;
    if (otherRelease !== this.#otherRelease && otherRelease !== undefined)
      this.#options.log.info('the pod runs another release', {
        target: this.target,
        release: otherRelease,
        own: ownBuild(),
      });
    this.#otherRelease = otherRelease;
    this.#options.log.debug('connected', { target: this.target });
    this.#options.onChange();
  }

  #replace(session: Session): void {
    if (this.#session !== session) {
      session.leave();
      return;
    }
    this.leaveLastResort();
    this.#draining = session;
    this.#session = undefined;
    this.#next(steadyDrainMs);
    this.#options.onFailure();
  }

  #closed(session: Session, cause: unknown): void {
    if (this.#draining === session) this.#draining = undefined;
    if (this.#session !== session) return;
    this.#session = undefined;
    const known = this.refusal?.message;
    this.lastError = cause;
    if (this.#disposed) return;
    const { refusal, target } = this;
    // A refusal lasts until one of the two processes restarts, so it is logged once.
    if (refusal && refusal.message !== known) this.#options.log.error(refusal.message, { target });
    else this.#options.log.debug('connection lost', { target, error: cause });
    this.#next(steadyMs);
    this.#options.onFailure();
  }

  #next(neededMs: number): void {
    if (this.#disposed) return;
    const steady = this.#openedAt !== 0 && performance.now() - this.#openedAt >= neededMs;
    this.#openedAt = 0;
    this.#failedAt = performance.now();
    if (steady) {
      this.#backoff.reset();
      this.#connect();
    } else this.#retryTimer = setTimeout(() => this.#connect(), this.#backoff.next()).unref();
    this.#options.onChange();
  }
}
