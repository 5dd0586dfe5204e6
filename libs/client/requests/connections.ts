import { type Agent, type AgentOptions, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent, type AgentOptions as HttpsAgentOptions } from 'node:https';
import { checkServerIdentity, createSecureContext, type PeerCertificate, type SecureContext } from 'node:tls';
import type { ClientConfiguration } from '../configuration/client-configuration.ts';
import type { Credentials } from '../credentials/credential-source.ts';
import { createServerLinks, type ServerLinks } from './server-links.ts';

/** The connections with one client certificate, or without one, and one set of authorities. */
export interface Connections {
  /** Agent of requests over HTTP/1.1. */
  readonly agent: Agent;
  /** Agent of watches over HTTP/1.1. */
  readonly watchAgent: Agent;
  /** Connections of requests and watches over HTTP/2. */
  readonly links: ServerLinks;
  /** Whether other certificates have replaced these; watches on these connections have then ended. */
  readonly isReplaced: boolean;
}

/** Options of connections. */
interface ConnectionOptions {
  readonly maxSockets: number;
  readonly watchPingMs?: number | undefined;
  /** Another accepted name in the server's certificate: that of a load balancer in front of the server. */
  readonly otherServerName?: string | undefined;
  /** Whether there is only one server; default: the configuration has only one. */
  readonly isOnlyServer?: boolean | undefined;
}

/**
 * Maximum idle time of a connection, in ms: shorter than that of servers (90 s). With this timeout Node also closes a
 * connection one second before the end that its server announces. A request on a closing connection would be lost.
 */
const idleConnectionMs = 60_000;

class CertificateConnections implements Connections {
  readonly agent: Agent;
  readonly watchAgent: Agent;
  readonly links: ServerLinks;
  readonly #authority: Buffer | undefined;
  readonly #certificate: Buffer | undefined;
  readonly #key: Buffer | undefined;
  isReplaced = false;
  #inUse = 0;

  constructor(configuration: ClientConfiguration, credentials: Credentials, options: ConnectionOptions) {
    const {
      maxSockets,
      watchPingMs,
      otherServerName,
      isOnlyServer = configuration.servers.length === 1,
    } = options;
    const tls = { ...tlsOptions(configuration, credentials), ...alsoNamed(otherServerName) };
    const open = agentsFor(configuration, tls);
    this.#authority = configuration.certificateAuthority;
    this.#certificate = credentials.clientCertificate;
    this.#key = credentials.clientKey;
    this.agent = open({ keepAlive: true, maxSockets, timeout: idleConnectionMs });
    this.watchAgent = open({ keepAlive: false });
    this.links = createServerLinks({ tls, isOnlyServer, pingMs: watchPingMs });
  }

  /** Whether no request is under way, except watches. */
  get isIdle(): boolean {
    return this.#inUse === 0;
  }

  isFor({ clientCertificate, clientKey }: Credentials, authority: Buffer | undefined): boolean {
    return (
      isSame(this.#authority, authority) &&
      isSame(this.#certificate, clientCertificate) &&
      isSame(this.#key, clientKey)
    );
  }

  async use<T>(exchange: (connections: Connections) => Promise<T>): Promise<T> {
    this.#inUse++;
    try {
      return await exchange(this);
    } finally {
      this.#inUse--;
      if (this.isReplaced && this.isIdle) this.destroy();
    }
  }

  /** Ends the watches, and the other connections once no request is under way: an interrupted write may have been done. */
  replace(): void {
    this.isReplaced = true;
    this.links.endWatches();
    this.watchAgent.destroy();
    if (this.isIdle) this.destroy();
  }

  destroy(): void {
    this.agent.destroy();
    this.watchAgent.destroy();
    this.links[Symbol.dispose]();
  }
}

/**
 * The connections of a client; they are closed when the client certificate or the authorities change, because a connection keeps its
 * certificate and the trust of its time. The constructor throws if the authorities or the certificate of the configuration are unreadable.
 */
export class ConnectionPool {
  readonly #configuration: ClientConfiguration;
  readonly #options: ConnectionOptions;
  readonly #closing = new Set<CertificateConnections>();
  #connections: CertificateConnections;

  constructor(configuration: ClientConfiguration, options: ConnectionOptions) {
    this.#configuration = configuration;
    this.#options = options;
    this.#connections = new CertificateConnections(configuration, configuration, options);
  }

  /** Runs an exchange on the connections with the certificate of these credentials and the authorities of the moment. */
  async use<T>(credentials: Credentials, exchange: (connections: Connections) => Promise<T>): Promise<T> {
    if (!this.#connections.isFor(credentials, this.#configuration.certificateAuthority))
      this.#replaceBy(credentials);
    const connections = this.#connections;
    try {
      return await connections.use(exchange);
    } finally {
      if (connections.isIdle) this.#closing.delete(connections);
    }
  }

  #replaceBy(credentials: Credentials): void {
    const replaced = this.#connections;
    this.#connections = new CertificateConnections(this.#configuration, credentials, this.#options);
    replaced.replace();
    if (!replaced.isIdle) this.#closing.add(replaced);
  }

  [Symbol.dispose](): void {
    for (const connections of [this.#connections, ...this.#closing]) connections.destroy();
  }
}

function isSame(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.equals(b));
}

/** A configuration has HTTPS servers, or one plain HTTP server. */
function agentsFor({ servers }: ClientConfiguration, tls: HttpsAgentOptions) {
  const isPlain = URL.parse(servers[0] ?? '')?.protocol === 'http:';
  return (pool: AgentOptions): Agent => (isPlain ? new HttpAgent(pool) : new HttpsAgent({ ...pool, ...tls }));
}

function alsoNamed(name: string | undefined): HttpsAgentOptions {
  if (name === undefined) return {};
  return {
    checkServerIdentity: (host: string, certificate: PeerCertificate) =>
      checkServerIdentity(host, certificate) && checkServerIdentity(name, certificate),
  };
}

/** TLS options of the connections to the servers of a configuration. */
interface TlsOptions {
  readonly secureContext: SecureContext;
  readonly servername?: string;
  readonly rejectUnauthorized?: false;
}

/**
 * Creates the TLS options from the authorities and the server name of a configuration, and the certificate of the
 * credentials.
 */
function tlsOptions(
  { certificateAuthority, tlsServerName, insecureSkipTlsVerify }: ClientConfiguration,
  { clientCertificate, clientKey }: Credentials,
): TlsOptions {
  return {
    // Created once: parsing the certificates costs as much as a handshake.
    secureContext: createSecureContext({
      minVersion: 'TLSv1.2',
      ...(certificateAuthority && { ca: certificateAuthority }),
      ...(clientCertificate && { cert: clientCertificate }),
      ...(clientKey && { key: clientKey }),
    }),
    ...(tlsServerName && { servername: tlsServerName }),
    ...(insecureSkipTlsVerify && { rejectUnauthorized: false }),
  };
}
