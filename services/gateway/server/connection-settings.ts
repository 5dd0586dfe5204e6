import type { ConnectionLimits } from '@binnacle/service-kit';

/** How many connections a gateway has, and how long they may be silent; every setting is a flag. */
export interface ConnectionSettings extends ConnectionLimits {
  /** The longest that a TLS handshake may take. */
  readonly handshakeTimeoutMs: number;
  /** The longest that the headers of a request may take to arrive, the first ones counted from the handshake. */
  readonly headerTimeoutMs: number;
  /** How long the body of a request may make no progress. */
  readonly bodyTimeoutMs: number;
  /** How long a client may take nothing of an answer. */
  readonly answerTimeoutMs: number;
  /** How long a connection stays open between two requests. */
  readonly keepAliveTimeoutMs: number;
  /** Requests under way at a time on one connection of HTTP/2; 0: HTTP/2 is not offered. */
  readonly maxStreamsPerConnection: number;
  /** Networks of balancers: connections from them begin with a header of the PROXY protocol, others do not. */
  readonly proxyProtocolNetworks: readonly string[];
}

/** The settings of a gateway that is not told otherwise. */
export const defaultConnectionSettings: ConnectionSettings = {
  maxConnections: 20_000,
  maxConnectionsPerAddress: 0,
  maxHandshakes: 1_000,
  handshakeTimeoutMs: 10_000,
  headerTimeoutMs: 10_000,
  bodyTimeoutMs: 15_000,
  answerTimeoutMs: 30_000,
  // Longer than the idle timeout of usual load balancers, so that they are the ones who close.
  keepAliveTimeoutMs: 90_000,
  maxStreamsPerConnection: 250,
  proxyProtocolNetworks: [],
};
