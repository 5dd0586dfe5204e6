import type { ClientHttp2Stream } from 'node:http2';
import type { ConnectionOptions } from 'node:tls';
import { within } from '@binnacle/event-loop';
import { type LinkExchange, openServerLink, type ServerLink } from './server-link.ts';

/** A request on a link to a server. */
interface LinkRequest extends LinkExchange {
  readonly server: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Behaviour of the request if the server is silent on all connections. */
  readonly whenSilent: WhenSilent;
}

/**
 * `leave`: the request fails if the server is silent, or does not accept a connection within 1 s. `reconnect`: the
 * request gets 1 s for a new connection, which a load balancer may direct to another server. `wait`: the request waits
 * on any connection.
 */
export type WhenSilent = 'leave' | 'reconnect' | 'wait';

/** The HTTP/2 connections of a client: one to each server, and further ones when the server's limit of streams is reached. */
export interface ServerLinks extends Disposable {
  /**
   * Starts a request on a connection with a free stream. Resolves with `undefined` if the server does not support
   * HTTP/2, which is detected once; rejects if no connection succeeds, and then nothing was sent.
   */
  begin(request: LinkRequest): Promise<ClientHttp2Stream | undefined>;
  /** Ends the watches, but no other requests. */
  endWatches(): void;
}

const connectTimeoutMs = 10_000;
/** Timeout of connecting while there is an alternative, in ms. */
const shortConnectTimeoutMs = 1_000;
const defaultPingMs = 1_000;

/** Options of the links of a client. */
interface ServerLinksOptions {
  readonly tls: ConnectionOptions;
  /** Whether there is only one server. */
  readonly isOnlyServer: boolean;
  /** Time without data after which a link pings a server with watches, in ms; default: 1,000. */
  readonly pingMs?: number | undefined;
}

/** Creates the links of a client; they connect with the first request. */
export function createServerLinks({
  tls,
  isOnlyServer,
  pingMs = defaultPingMs,
}: ServerLinksOptions): ServerLinks {
  // The only server gets more time: on an overloaded machine it may just be slow.
  const longSilenceMs = isOnlyServer ? 10_000 : 3_000;
  const closing = new AbortController();
  const open = new Map<string, ServerLink[]>();
  const opening = new Map<string, Promise<ServerLink | undefined>>();
  const withoutHttp2 = new Set<string>();

  const add = (server: URL): Promise<ServerLink | undefined> =>
    openServerLink({ server, tls, connectTimeoutMs, pingMs, longSilenceMs, signal: closing.signal })
      .then(link => {
        const links = (open.get(server.host) ?? []).filter(({ isOpen }) => isOpen);
        if (link) open.set(server.host, [...links, link]);
        else withoutHttp2.add(server.host);
        return link;
      })
      .finally(() => opening.delete(server.host));

  return {
    async begin({ server, headers, whenSilent, ...exchange }) {
      for (;;) {
        if (withoutHttp2.has(server.host)) return undefined;
        const links = open.get(server.host)?.filter(({ hasRoom }) => hasRoom) ?? [];
        const usable =
          links.find(({ isSilent }) => !isSilent) ?? (whenSilent === 'wait' ? links[0] : undefined);
        if (usable) return usable.request(headers, exchange);
        if (whenSilent === 'leave' && links.length > 0) throw new Error('the server is silent');
        const attempt = opening.get(server.host) ?? add(server);
        opening.set(server.host, attempt);
        const link = await (whenSilent === 'wait' ? attempt : withinShortTimeout(attempt));
        if (link?.isOpen === false) throw new Error('the server ended the connection');
      }
    },
    endWatches() {
      for (const link of [...open.values()].flat()) link.endWatches();
    },
    [Symbol.dispose]: () => closing.abort(),
  };
}

/** Waits for an attempt for 1 s; the attempt continues for later requests. */
function withinShortTimeout<T>(attempt: Promise<T>): Promise<T> {
  return within(attempt, shortConnectTimeoutMs, () => {
    throw new Error(`no connection within ${shortConnectTimeoutMs} ms`);
  });
}
