/** The path and query of a proxied request, split where the part begins that is passed on. */
export interface ProxiedPath {
  /** Up to and with `/proxy`, not decoded. */
  readonly before: string;
  /** The remaining path, not decoded: "" or a path. */
  readonly rest: string;
  /** With its question mark; "" when there is none. */
  readonly query: string;
}

const shape = /^(\/api\/[^/]+(?:\/namespaces\/[^/]+)?\/[^/]+\/[^/]+\/proxy)(\/[^?]*)?(\?.*)?$/s;

/** Splits the path of a request for a `proxy` of the core group; undefined for any other one. */
export function splitProxiedPath(url: string): ProxiedPath | undefined {
  // Clients may send a whole URL; only what follows the host counts.
  const [, before, rest = '', query = ''] = shape.exec(url.replace(/^[a-z]+:\/\/[^/?]*/i, '')) ?? [];
  return before === undefined ? undefined : { before, rest, query };
}

/** A `Location` for the client: one within the target leads there through the proxy, any other one is unchanged. */
export function locationThroughProxy(
  location: string,
  { before, origin }: { readonly before: string; readonly origin: string },
): string {
  if (location.startsWith('/') && !location.startsWith('//')) return before + location;
  if (location === origin || location.startsWith(`${origin}/`))
    return before + (location.slice(origin.length) || '/');
  return location;
}
