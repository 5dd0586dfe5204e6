import {
  decimalFlag,
  durationFlag,
  type FlagValues,
  flagGroup,
  integerFlag,
  listFlag,
} from '@binnacle/flags';

/** More than a connection can use; HTTP/2 itself cannot express more than 2^32 - 1. */
const mostStreams = 100_000;
/** One request in fifty, as in kube-apiserver: each costs its client a handshake. */
const mostGoaways = 0.02;

/** The flags that bound the connections of a gateway. */
export const connectionFlags = flagGroup('Connections', {
  maxConnections: integerFlag({
    description:
      'Connections at a time; fewer if the limit on open files is lower; 0 is as many as that limit allows.',
    default: 20_000,
    min: 0,
  }),
  maxConnectionsPerAddress: integerFlag({
    description:
      'Connections at a time from one IPv4 address or IPv6 /64; 0: no limit, needed behind a balancer that hides addresses.',
    default: 0,
    min: 0,
  }),
  maxTlsHandshakes: integerFlag({
    description: 'TLS handshakes at a time; 0 is without limit.',
    default: 1_000,
    min: 0,
  }),
  tlsHandshakeTimeout: durationFlag({
    description: 'Longest duration of a TLS handshake.',
    default: 10_000,
    min: 1,
  }),
  requestHeaderTimeout: durationFlag({
    description:
      'Longest time for the headers of a request to arrive, or for the first request of a connection.',
    default: 10_000,
    min: 1,
  }),
  requestBodyIdleTimeout: durationFlag({
    description: 'Longest time without progress in the body of a request.',
    default: 15_000,
    min: 1,
  }),
  responseIdleTimeout: durationFlag({
    description: 'Longest time for which a client may read nothing of a response.',
    default: 30_000,
    min: 1,
  }),
  keepAliveTimeout: durationFlag({
    description: 'Longest time that a connection stays open between two requests.',
    // Longer than the idle timeout of usual load balancers, so that they are the ones who close.
    default: 90_000,
    min: 1,
  }),
  http2MaxStreamsPerConnection: integerFlag({
    description:
      'Requests at a time on one HTTP/2 connection, including watches; 0 serves HTTP/1.1 alone, as without TLS.',
    default: 250,
    min: 0,
    max: mostStreams,
  }),
  goawayChance: decimalFlag({
    description:
      'Share of HTTP/2 requests whose connection takes no further requests after them, so that clients behind a load balancer connect anew and spread over the gateways; 0 is none, 0.001 a good start. Not for a gateway that is alone.',
    default: 0,
    min: 0,
    max: mostGoaways,
  }),
  proxyProtocolNetworks: listFlag({
    description:
      'Networks of load balancers, as in 10.0.0.4/32, whose connections all begin with a header of the PROXY protocol, version 2, that names the client; connections from elsewhere are served as they are.',
    default: [],
  }),
});

/** The limits and timeouts of a gateway's connections. */
export type ConnectionSettings = FlagValues<typeof connectionFlags>;
