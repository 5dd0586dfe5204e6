import type { Server, Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { sharedSlices } from '@binnacle/event-loop';
import { clientAddress } from './client-address.ts';
import { Connection } from './connection.ts';
import type { ClosingReason, ConnectionMetrics, RefusalReason } from './connection-metrics.ts';
import { ConnectionPool } from './connection-pool.ts';
import type { ConnectionTraffic } from './connection-traffic.ts';
import { Http1Traffic } from './http1-traffic.ts';
import { getClientAddress, setClientAddress } from './proxy-protocol/connection-client.ts';
import { receiveProxyHeader } from './proxy-protocol/receive-proxy-header.ts';
import { findTcpSocket } from './sockets/socket-internals.ts';
import type { StallTimeouts } from './stall-clock.ts';

/** The bounds of a server's connections; 0 is without limit. */
export interface ConnectionLimits {
  readonly maxConnections: number;
  /** Of one IPv4 address, or one IPv6 network of 64 bits. */
  readonly maxConnectionsPerAddress: number;
  /** TLS handshakes at a time. */
  readonly maxTlsHandshakes: number;
}

/** How a guard works. */
interface ConnectionGuardOptions {
  readonly limits: ConnectionLimits;
  readonly stallTimeouts: StallTimeouts;
  /** The longest that a TLS handshake may take; the server has the same. */
  readonly handshakeTimeoutMs: number;
  readonly metrics: ConnectionMetrics;
  /** Closes a connection whose body does not come; default: at once, without an answer. */
  readonly onBodyStalled?: (stream: Socket) => void;
  /**
   * Which addresses are balancers that begin each connection with a header of the PROXY protocol, version 2; connections
   * from other addresses are served as they are. Default: none.
   */
  readonly isBalancer?: (address: string) => boolean;
  /** HTTP, where connections are idle between requests; else a connection is in use until it ends. Default: true. */
  readonly hasIdleConnections?: boolean;
  /** The traffic of an established connection that speaks something else than HTTP/1.1. Default: none does. */
  readonly trafficOf?: (stream: Socket) => ConnectionTraffic | undefined;
  /** A monotonic clock, in ms. */
  readonly now?: () => number;
}

/** A connection this young is not evicted: its request may be on the way. */
const youthMs = 1_000;
/** A client that has made no progress for so long may be evicted in spite of its request. */
const slownessMs = 5_000;
/** Of a rank: behind all that have a rank without it. */
const afterAll = 1e12;
const longestPauseMs = 2_500;
/** The longest that the header of the PROXY protocol may take: balancers send it as soon as they connect. */
const proxyHeaderTimeoutMs = 5_000;
const looksPerClockRead = 64;
/** A timeout is noticed at most this part of itself late. */
const lateness = 1 / 4;

/** While the server stops: what a client may take to send its request, and to move its body or its answer. */
const stoppingIdleMs = 1_000;
const stoppingHeaderMs = 3_000;
const stoppingStallTimeouts: StallTimeouts = { bodyMs: 3_000, answerMs: 3_000 };

/**
 * Keeps the connections of a server bounded, in number and in silence.
 *
 * Every connection is counted from the moment that it is accepted, so those in a TLS handshake and those that were
 * upgraded are too, which the HTTP server does not know. When a limit is reached, an idle connection of the address that
 * holds most makes room, or one whose client does not go on; when there is none, the new connection is closed at once.
 * From time to time all connections are looked at: a handshake that takes too long, a body that does not come and an
 * answer that is not taken end their connection. Nothing is done for a single request.
 */
export class ConnectionGuard implements Disposable {
  readonly #options: ConnectionGuardOptions;
  readonly #now: () => number;
  readonly #hasIdle: boolean;
  readonly #isTls: boolean;
  readonly #open = new ConnectionPool({
    isEvictable: (connection, now) => this.#isEvictable(connection, now),
    // Those that let the server wait go when there is none without a request.
    rank: connection => connection.idleSince + (connection.state === 'active' ? afterAll : 0),
  });
  readonly #handshakes = new ConnectionPool({
    isEvictable: ({ acceptedAt }, now) => now - acceptedAt >= youthMs,
    // Those that have sent nothing go first.
    rank: ({ acceptedAt, isSilent }) => (isSilent ? acceptedAt : acceptedAt + afterAll),
  });
  readonly #byTcp = new Map<Socket, Connection>();
  /** Connections whose balancer has not said yet for whom they are. */
  readonly #unnamed = new Set<Socket>();
  readonly #timer: NodeJS.Timeout;
  #stoppingSince: number | undefined;
  #isLooking = false;

  /** Guards every connection that the server accepts from now on; to be called before it listens. */
  constructor(server: Server, options: ConnectionGuardOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#hasIdle = options.hasIdleConnections ?? true;
    this.#isTls = server instanceof TlsServer;
    const accept = server.listeners('connection');
    server.removeAllListeners('connection');
    const serve = (socket: Socket, headerBytes: number): void => {
      if (this.#admit(socket, headerBytes)) for (const listener of accept) listener.call(server, socket);
    };
    server.on('connection', (socket: Socket) => {
      if (options.isBalancer?.(socket.remoteAddress ?? '') === true) this.#receiveHeader(socket, serve);
      else serve(socket, 0);
    });
    if (this.#isTls) {
      server.on('secureConnection', (stream: Socket) => this.#establish(stream));
      server.on('tlsClientError', (error: NodeJS.ErrnoException, stream: Socket) => {
        this.#handshakeFailed(error, stream);
      });
    }
    const { bodyMs, answerMs } = options.stallTimeouts;
    const everyMs = Math.min(options.handshakeTimeoutMs, bodyMs, answerMs) * lateness;
    this.#timer = setInterval(() => void this.look(), Math.min(longestPauseMs, everyMs)).unref();
  }

  /** Connections that are open, handshakes among them. */
  get size(): number {
    return this.#open.size;
  }

  /** Whether requests can come over this stream: over TLS, whether its handshake is done. */
  isEstablished(stream: Socket): boolean {
    return this.#byTcp.get(findTcpSocket(stream))?.stream === stream;
  }

  /**
   * Closes what has kept the server waiting for too long, and counts the rest, in slices of the event loop. Does nothing
   * while another look is under way.
   */
  async look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const counts = { handshake: 0, idle: 0, active: 0 };
    let looks = 0;
    try {
      for (const connection of this.#open) {
        this.#look(connection, this.#now());
        counts[this.#hasIdle || connection.stream === undefined ? connection.state : 'active']++;
        if (++looks % looksPerClockRead === 0 && sharedSlices.isOver()) await sharedSlices.yield();
      }
      this.#options.metrics.open(counts);
    } finally {
      this.#isLooking = false;
    }
  }

  /**
   * The server stops: handshakes end now, connections without a request after a second, those whose client keeps the
   * server waiting after three.
   */
  startStopping(): void {
    this.#stoppingSince ??= this.#now();
    for (const connection of [...this.#handshakes]) this.#close(connection, 'stopping');
    for (const tcp of this.#unnamed) tcp.destroy();
    for (const connection of [...this.#open]) {
      connection.established?.traffic.startStopping?.();
      if (!this.#hasIdle && connection.stream?.bytesRead === 0) this.#close(connection, 'stopping');
    }
  }

  /** Closes everything. */
  closeAll(): void {
    for (const connection of [...this.#open]) this.#close(connection, 'stopping');
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #receiveHeader(tcp: Socket, serve: (tcp: Socket, headerBytes: number) => void): void {
    const { maxTlsHandshakes } = this.#options.limits;
    if (maxTlsHandshakes > 0 && this.#unnamed.size >= maxTlsHandshakes) {
      this.#options.metrics.refused('handshakes');
      tcp.destroy();
      return;
    }
    this.#unnamed.add(tcp);
    receiveProxyHeader(tcp, proxyHeaderTimeoutMs, header => {
      this.#unnamed.delete(tcp);
      if (header === undefined || tcp.destroyed) {
        // A balancer that only looks whether the port is open is no error.
        if (tcp.bytesRead > 0) this.#options.metrics.refused('proxy-header');
        tcp.on('error', () => {}).destroy();
        return;
      }
      if (header.client !== undefined) setClientAddress(tcp, header.client);
      serve(tcp, header.length);
    });
  }

  #admit(tcp: Socket, headerBytes: number): boolean {
    const address = clientAddress(getClientAddress(tcp));
    const refusal = this.#refusalFor(address);
    if (refusal !== undefined || tcp.destroyed) {
      if (refusal !== undefined) this.#options.metrics.refused(refusal);
      tcp.destroy();
      return false;
    }
    const connection = new Connection({ tcp, address, headerBytes, acceptedAt: this.#now() });
    this.#open.add(connection);
    this.#byTcp.set(tcp, connection);
    if (this.#isTls) this.#handshakes.add(connection);
    else this.#establishOver(tcp, connection);
    tcp.once('close', () => this.#forget(connection));
    return true;
  }

  /** The limit that the next connection of an address would break, once connections that can make room for it have done so. */
  #refusalFor(address: string): RefusalReason | undefined {
    const { maxConnections, maxConnectionsPerAddress, maxTlsHandshakes } = this.#options.limits;
    const now = this.#now();
    const isFull = (size: number, limit: number) => limit > 0 && size >= limit;
    if (isFull(this.#open.sizeOf(address), maxConnectionsPerAddress))
      if (!this.#evict(this.#open.findVictim(address, now))) return 'address';
    if (isFull(this.#open.size, maxConnections))
      if (!this.#evict(this.#open.victimFor(address, now))) return 'total';
    if (this.#isTls && isFull(this.#handshakes.size, maxTlsHandshakes))
      if (!this.#evict(this.#handshakes.victimFor(address, now))) return 'handshakes';
    return undefined;
  }

  #evict(victim: Connection | undefined): boolean {
    if (victim === undefined) return false;
    this.#close(victim, 'evicted');
    return true;
  }

  #isEvictable(connection: Connection, now: number): boolean {
    if (connection.stream === undefined) return now - connection.acceptedAt >= youthMs;
    if (!this.#hasIdle) return false;
    return connection.idleMs(now) >= youthMs || connection.waitedMs(now) >= slownessMs;
  }

  #establish(stream: Socket): void {
    const connection = this.#byTcp.get(findTcpSocket(stream));
    // It may have been evicted in the same turn.
    if (connection === undefined || !this.#handshakes.delete(connection)) {
      stream.destroy();
      return;
    }
    this.#establishOver(stream, connection);
    connection.idleSince = this.#now();
  }

  #establishOver(stream: Socket, connection: Connection): void {
    const known = this.#options.trafficOf?.(stream);
    connection.established = { stream, traffic: known ?? new Http1Traffic(stream, connection.tcp) };
    this.#options.metrics.established(known === undefined && this.#hasIdle ? 'http/1.1' : 'h2');
  }

  #handshakeFailed({ code }: NodeJS.ErrnoException, stream: Socket): void {
    const connection = this.#byTcp.get(findTcpSocket(stream));
    stream.destroy();
    // Else it is closed already.
    if (connection === undefined) return;
    if (code === 'ERR_TLS_HANDSHAKE_TIMEOUT') this.#options.metrics.closed('handshake');
    this.#forget(connection);
    connection.destroy();
  }

  #look(connection: Connection, now: number): void {
    const { handshakeTimeoutMs, stallTimeouts, onBodyStalled } = this.#options;
    if (connection.stream === undefined) {
      if (now - connection.acceptedAt >= handshakeTimeoutMs) this.#close(connection, 'handshake');
      return;
    }
    if (!this.#hasIdle || connection.isRefused) return;
    const stalled = connection.stalled(
      now,
      this.#stoppingSince === undefined ? stallTimeouts : stoppingStallTimeouts,
    );
    if (stalled === 'body' && onBodyStalled !== undefined && this.#stoppingSince === undefined) {
      this.#options.metrics.closed('body');
      connection.isRefused = true;
      onBodyStalled(connection.stream);
    } else if (stalled !== undefined) {
      this.#close(connection, stalled);
    } else if (this.#isLeftOver(connection, now)) {
      this.#close(connection, 'stopping');
    }
  }

  /** Whether the server stops and has waited for a request long enough: for one whose bytes still come, a little longer. */
  #isLeftOver(connection: Connection, now: number): boolean {
    const idleMs = connection.idleMs(now);
    if (this.#stoppingSince === undefined || connection.state === 'active') return false;
    const waitedMs = now - this.#stoppingSince;
    return waitedMs >= stoppingHeaderMs || (waitedMs >= stoppingIdleMs && idleMs >= stoppingIdleMs);
  }

  #close(connection: Connection, reason: ClosingReason): void {
    this.#options.metrics.closed(reason);
    this.#forget(connection);
    connection.destroy();
  }

  #forget(connection: Connection): void {
    this.#byTcp.delete(connection.tcp);
    this.#handshakes.delete(connection);
    this.#open.delete(connection);
  }
}
