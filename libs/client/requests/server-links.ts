import type { ClientHttp2Stream } from 'node:http2';
import type { ConnectionOptions } from 'node:tls';
import { within } from '@binnacle/event-loop';
import { type LinkExchange, openServerLink, type ServerLink } from './server-link.ts';

/** A request that begins on a link to a server. */
interface LinkRequest extends LinkExchange {
  readonly server: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** The behaviour of a request where no connection gives a sign. */
  readonly whenSilent: WhenSilent;
}

/**
 * `leave`: a server that is silent, or does not take a connection within a second, is left. `reconnect`: one that is silent gets
 * that second for another connection, which a balancer may lead elsewhere. `wait`: a request waits on any connection.
 */
export type WhenSilent = 'leave' | 'reconnect' | 'wait';

/** The connections of HTTP/2 of a client: one to each server, and another where the server's limit of requests is reached. */
export interface ServerLinks extends Disposable {
  /**
   * Begins a request on a connection that has room for it. Resolves with `undefined` where HTTP/2 is not spoken, which is
   * asked once; rejects when no connection comes about, and then nothing was sent.
   */
  begin(request: LinkRequest): Promise<ClientHttp2Stream | undefined>;
  /** Ends the watches alone. */
  endWatches(): void;
}

const connectTimeoutMs = 10_000;
/** For a connection while there is something else to try. */
const shortConnectTimeoutMs = 1_000;
const defaultPingMs = 1_000;

/** Which servers connections are made to, and how. */
interface ServerLinksOptions {
  readonly tls: ConnectionOptions;
  /** Whether there is one server alone. */
  readonly isOnlyServer: boolean;
  /** Milliseconds in which nothing comes after which a server with watches is asked whether it is there; default: a second. */
  readonly pingMs?: number | undefined;
}

/** Opens no connection before the first request. */
export function createServerLinks({
  tls,
  isOnlyServer,
  pingMs = defaultPingMs,
}: ServerLinksOptions): ServerLinks {
  // One that cannot be left for another is given time: on a machine that is starved it may only be slow.
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

/** The connection goes on coming about for later requests. */
function withinShortTimeout<T>(attempt: Promise<T>): Promise<T> {
  return within(attempt, shortConnectTimeoutMs, () => {
    throw new Error(`no connection within ${shortConnectTimeoutMs} ms`);
  });
}
