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

/** The limits of a server's connections; 0: no limit. */
export interface ConnectionLimits {
  readonly maxConnections: number;
  /** Maximum for one IPv4 address, or one IPv6 /64 network. */
  readonly maxConnectionsPerAddress: number;
  /** Maximum number of concurrent TLS handshakes. */
  readonly maxTlsHandshakes: number;
}

/** Options of a connection guard. */
interface ConnectionGuardOptions {
  readonly limits: ConnectionLimits;
  readonly stallTimeouts: StallTimeouts;
  /** Maximum duration of a TLS handshake, in ms; the server has the same value. */
  readonly handshakeTimeoutMs: number;
  readonly metrics: ConnectionMetrics;
  /** Closes a connection whose request body stalls; default: at once, without an answer. */
  readonly onBodyStalled?: (stream: Socket) => void;
  /**
   * Whether an address is a load balancer, which sends a PROXY protocol header (version 2) on each connection;
   * connections from other addresses have none. Default: none is.
   */
  readonly isBalancer?: (address: string) => boolean;
  /**
   * Whether connections can be idle between requests, as in HTTP; otherwise a connection is in use until it closes.
   * Default: true.
   */
  readonly hasIdleConnections?: boolean;
  /** Returns the traffic of an established connection with a protocol other than HTTP/1.1. Default: all use HTTP/1.1. */
  readonly trafficOf?: (stream: Socket) => ConnectionTraffic | undefined;
  /** A monotonic clock, in ms; default: `performance.now`. */
  readonly now?: () => number;
}

/** Age below which a connection is not evicted, in ms: its request may be in transit. */
const youthMs = 1_000;
/** Time without progress after which a connection with a request may be evicted, in ms. */
const slownessMs = 5_000;
/** Added to a rank: after all ranks without it. */
const afterAll = 1e12;
const longestPauseMs = 2_500;
/** Maximum time for the PROXY protocol header, in ms: balancers send it as soon as they connect. */
const proxyHeaderTimeoutMs = 5_000;
const looksPerClockRead = 64;
/** Interval of the checks, as a fraction of the shortest timeout. */
const lateness = 1 / 4;

/** While the server stops: maximum time for a client to send its request, and to make progress with its body or answer, in ms. */
const stoppingIdleMs = 1_000;
const stoppingHeaderMs = 3_000;
const stoppingStallTimeouts: StallTimeouts = { bodyMs: 3_000, answerMs: 3_000 };

/**
 * Limits the number of a server's connections, and the time for which a client may stall.
 *
 * Every connection counts from its acceptance, including those in a TLS handshake and upgraded ones, which the HTTP
 * server does not track. When a limit is reached, the guard evicts an idle or stalled connection of the address that
 * holds most; if there is none, it closes the new connection at once. A periodic check closes connections whose
 * handshake takes too long, whose body stalls, or whose client does not read the answer. Single requests have no
 * overhead.
 */
export class ConnectionGuard implements Disposable {
  readonly #options: ConnectionGuardOptions;
  readonly #now: () => number;
  readonly #hasIdle: boolean;
  readonly #isTls: boolean;
  readonly #open = new ConnectionPool({
    isEvictable: (connection, now) => this.#isEvictable(connection, now),
    // Stalled connections are evicted only if none without a request is evictable.
    rank: connection => connection.idleSince + (connection.state === 'active' ? afterAll : 0),
  });
  readonly #handshakes = new ConnectionPool({
    isEvictable: ({ acceptedAt }, now) => now - acceptedAt >= youthMs,
    // Connections that have sent nothing are evicted first.
    rank: ({ acceptedAt, isSilent }) => (isSilent ? acceptedAt : acceptedAt + afterAll),
  });
  readonly #byTcp = new Map<Socket, Connection>();
  /** Connections whose balancer has not sent the client's address yet. */
  readonly #unnamed = new Set<Socket>();
  readonly #timer: NodeJS.Timeout;
  #stoppingSince: number | undefined;
  #isLooking = false;

  /** Guards every connection that the server accepts from now on; must be called before the server listens. */
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

  /** Number of open connections, including handshakes. */
  get size(): number {
    return this.#open.size;
  }

  /** Whether requests can arrive on this stream: with TLS, whether its handshake is complete. */
  isEstablished(stream: Socket): boolean {
    return this.#byTcp.get(findTcpSocket(stream))?.stream === stream;
  }

  /**
   * Closes connections that have stalled for too long, and counts the others, in slices of the event loop. Does nothing
   * while another check is under way.
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

  /** Starts the stop: handshakes close now, idle connections after 1 s (3 s while a request arrives), stalled ones after 3 s. */
  startStopping(): void {
    this.#stoppingSince ??= this.#now();
    for (const connection of [...this.#handshakes]) this.#close(connection, 'stopping');
    for (const tcp of this.#unnamed) tcp.destroy();
    for (const connection of [...this.#open]) {
      connection.established?.traffic.startStopping?.();
      if (!this.#hasIdle && connection.stream?.bytesRead === 0) this.#close(connection, 'stopping');
    }
  }

  /** Closes all connections. */
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
        // A balancer may connect without data, to check that the port is open.
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

  /** Evicts connections to make room for one of this address; returns the limit that still refuses it. */
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
    // The connection may have been evicted in the same turn.
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
    // Undefined: the connection is closed already.
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

  /** Whether the server stops and a connection without a request has exceeded its time: 1 s, or 3 s while bytes still arrive. */
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
