import type { Socket } from 'node:net';
import type { ConnectionState } from './connection-metrics.ts';
import type { ConnectionTraffic } from './connection-traffic.ts';
import type { Awaited, StallTimeouts } from './stall-clock.ts';

/** A connection that a server has accepted. */
interface AcceptedConnection {
  readonly tcp: Socket;
  /** Which address it is counted for. */
  readonly address: string;
  /** Bytes that a balancer sent before the client's own. */
  readonly headerBytes: number;
  readonly acceptedAt: number;
}

/** The stream that requests come over. */
interface EstablishedStream {
  readonly stream: Socket;
  readonly traffic: ConnectionTraffic;
}

/** One connection of a server, from the moment that it is accepted. */
export class Connection {
  readonly tcp: Socket;
  readonly address: string;
  readonly acceptedAt: number;
  /** Undefined during the TLS handshake. */
  established: EstablishedStream | undefined;
  /** Whether it is being closed, with an answer that says why. */
  isRefused = false;
  /** When it was last seen with a request, or with bytes that had come since it was last looked at. */
  idleSince: number;
  readonly #headerBytes: number;
  #receivedBefore = 0;

  constructor({ tcp, address, headerBytes, acceptedAt }: AcceptedConnection) {
    this.tcp = tcp;
    this.address = address;
    this.#headerBytes = headerBytes;
    this.acceptedAt = acceptedAt;
    this.idleSince = acceptedAt;
  }

  /** The stream that requests come over; undefined during the TLS handshake. */
  get stream(): Socket | undefined {
    return this.established?.stream;
  }

  /** Whether its client has sent nothing. */
  get isSilent(): boolean {
    return this.tcp.bytesRead <= this.#headerBytes;
  }

  get state(): ConnectionState {
    if (this.established === undefined) return 'handshake';
    return this.established.traffic.isActive ? 'active' : 'idle';
  }

  /** How long it has been without a request and without bytes, in ms; 0 while there is a request. */
  idleMs(now: number): number {
    if (this.state === 'active' || this.established?.traffic.isSending === true) {
      this.idleSince = now;
      return 0;
    }
    const received = this.tcp.bytesRead;
    if (received !== this.#receivedBefore) this.idleSince = now;
    this.#receivedBefore = received;
    return now - this.idleSince;
  }

  /** How long the client has made the server wait without progress, in ms, as far as `stalled` has seen; else 0. */
  waitedMs(now: number): number {
    return this.established?.traffic.waitedMs(now) ?? 0;
  }

  /** The side, body or answer, on which the client has made the server wait longer than it may; checked periodically. */
  stalled(now: number, timeouts: StallTimeouts): Awaited | undefined {
    return this.established?.traffic.stalled(now, timeouts);
  }

  destroy(): void {
    this.stream?.destroy();
    this.tcp.destroy();
  }
}
