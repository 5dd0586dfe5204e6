import type { Socket } from 'node:net';
import type { ConnectionState } from './connection-metrics.ts';
import type { ConnectionTraffic } from './connection-traffic.ts';
import type { Awaited, StallTimeouts } from './stall-clock.ts';

/** A connection that a server has accepted. */
interface AcceptedConnection {
  readonly tcp: Socket;
  /** Address for which the connection is counted. */
  readonly address: string;
  /** Bytes that the balancer sent before the client's bytes. */
  readonly headerBytes: number;
  readonly acceptedAt: number;
}

/** The stream that carries requests. */
interface EstablishedStream {
  readonly stream: Socket;
  readonly traffic: ConnectionTraffic;
}

/** One connection of a server, from its acceptance. */
export class Connection {
  readonly tcp: Socket;
  readonly address: string;
  readonly acceptedAt: number;
  /** Undefined during the TLS handshake. */
  established: EstablishedStream | undefined;
  /** Whether the connection is being closed with an error response. */
  isRefused = false;
  /** Time of the last check at which the connection had a request or new bytes. */
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

  /** The stream that carries requests; undefined during the TLS handshake. */
  get stream(): Socket | undefined {
    return this.established?.stream;
  }

  /** Whether the client has sent nothing. */
  get isSilent(): boolean {
    return this.tcp.bytesRead <= this.#headerBytes;
  }

  get state(): ConnectionState {
    if (this.established === undefined) return 'handshake';
    return this.established.traffic.isActive ? 'active' : 'idle';
  }

  /** Time without a request and without new bytes, in ms; 0 during a request. */
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

  /** Time for which the client has stalled, in ms, as of the last `stalled`; otherwise 0. */
  waitedMs(now: number): number {
    return this.established?.traffic.waitedMs(now) ?? 0;
  }

  /** Returns the side, body or answer, on which the client has stalled beyond its timeout; called periodically. */
  stalled(now: number, timeouts: StallTimeouts): Awaited | undefined {
    return this.established?.traffic.stalled(now, timeouts);
  }

  destroy(): void {
    this.stream?.destroy();
    this.tcp.destroy();
  }
}
