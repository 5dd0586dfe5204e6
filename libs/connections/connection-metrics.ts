import type { Metrics } from '@binnacle/telemetry';

/** Why the server refused a connection on arrival: the limit that was reached, or a missing PROXY protocol header. */
export type RefusalReason = 'total' | 'address' | 'handshakes' | 'proxy-header';
/** Why the server closed a connection before its client did. */
export type ClosingReason = 'handshake' | 'evicted' | 'body' | 'answer' | 'stopping';
/** The state of a connection: in its TLS handshake, between requests, or with a request. */
export type ConnectionState = 'handshake' | 'idle' | 'active';

/** The protocol of a connection. */
type ConnectionProtocol = 'http/1.1' | 'h2';

/** The metrics of connections. */
export interface ConnectionMetrics {
  established(protocol: ConnectionProtocol): void;
  refused(reason: RefusalReason): void;
  closed(reason: ClosingReason): void;
  open(counts: Readonly<Record<ConnectionState, number>>): void;
}

/** Registers the connection metrics of a server: `api`, `operations` or `grpc`. */
export function createConnectionMetrics(metrics: Metrics, server: string): ConnectionMetrics {
  const refused = metrics.counter({
    name: 'binnacle_connections_refused_total',
    help: 'Connections refused on arrival, by the limit that was reached; proxy-header: no header of the PROXY protocol.',
    labelNames: ['server', 'reason'],
  });
  const closed = metrics.counter({
    name: 'binnacle_connections_closed_total',
    help: 'Connections closed by the server: handshake or body or answer without progress, evicted while idle, stopping.',
    labelNames: ['server', 'reason'],
  });
  const established = metrics.counter({
    name: 'binnacle_connections_established_total',
    help: 'Connections that became ready for requests, by protocol: http/1.1 or h2.',
    labelNames: ['server', 'protocol'],
  });
  const open = metrics.gauge({
    name: 'binnacle_open_connections',
    help: 'Open connections by state.',
    labelNames: ['server', 'state'],
  });
  const openOf = {
    handshake: open.labels(server, 'handshake'),
    idle: open.labels(server, 'idle'),
    active: open.labels(server, 'active'),
  };
  return {
    established: protocol => established.labels(server, protocol).inc(),
    refused: reason => refused.labels(server, reason).inc(),
    closed: reason => closed.labels(server, reason).inc(),
    open(counts) {
      openOf.handshake.set(counts.handshake);
      openOf.idle.set(counts.idle);
      openOf.active.set(counts.active);
    },
  };
}

/** Connection metrics that record nothing. */
export const noConnectionMetrics: ConnectionMetrics = {
  established() {},
  refused() {},
  closed() {},
  open() {},
};
