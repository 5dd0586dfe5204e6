import type { ClientHttp2Stream } from 'node:http2';
import type { ConnectionOptions } from 'node:tls';
import { openWatchLink, type WatchLink } from './watch-link.ts';

/** The connections of HTTP/2 of a client: one to each server, and another where the server's limit of watches is reached. */
export interface WatchLinks extends Disposable {
  /**
   * Begins a request on a connection that has room for it. Resolves with `undefined` where HTTP/2 is not spoken, which is
   * asked once; rejects when no connection comes about, and then nothing was sent.
   */
  begin(server: URL, headers: Readonly<Record<string, string>>): Promise<ClientHttp2Stream | undefined>;
}

const connectTimeoutMs = 10_000;
/** As often as Go's client asks; a server whose machine is gone is noticed within twice the time. */
const defaultPingMs = 15_000;

/** Opens no connection before the first watch. */
export function createWatchLinks(tls: ConnectionOptions, pingMs: number = defaultPingMs): WatchLinks {
  const closing = new AbortController();
  const open = new Map<string, WatchLink[]>();
  const opening = new Map<string, Promise<WatchLink | undefined>>();
  const withoutHttp2 = new Set<string>();

  const add = (server: URL): Promise<WatchLink | undefined> =>
    openWatchLink({ server, tls, connectTimeoutMs, pingMs, signal: closing.signal })
      .then(link => {
        const links = (open.get(server.host) ?? []).filter(({ isOpen }) => isOpen);
        if (link) open.set(server.host, [...links, link]);
        else withoutHttp2.add(server.host);
        return link;
      })
      .finally(() => opening.delete(server.host));

  return {
    async begin(server, headers) {
      for (;;) {
        if (withoutHttp2.has(server.host)) return undefined;
        const free = open.get(server.host)?.find(({ hasRoom }) => hasRoom);
        if (free) return free.request(headers);
        const attempt = opening.get(server.host) ?? add(server);
        opening.set(server.host, attempt);
        const link = await attempt;
        if (link?.isOpen === false) throw new Error('the server ended the connection');
      }
    },
    [Symbol.dispose]: () => closing.abort(),
  };
}
