import type { User } from '../request/api-request.ts';
import { parseExtraKey } from '../request/extra-key.ts';
import type { HttpRequest } from '../request/http-messages.ts';
import { type HeaderValues, removeHeaders } from '../request/remove-headers.ts';
import { anonymousName, authenticated, unauthenticatedGroup } from '../request/users.ts';

/** Settings of authenticating proxies (spec 2, "Authenticating proxy flags"); header names in any case. */
export interface ProxySettings {
  /** Headers with the username, in the order in which they are tried. */
  readonly requestheaderUsernameHeaders: readonly string[];
  readonly requestheaderGroupHeaders: readonly string[];
  readonly requestheaderExtraHeadersPrefix: readonly string[];
  /** Common names that the certificate of a proxy may have; empty: any. */
  readonly requestheaderAllowedNames: readonly string[];
}

/** The headers of authenticating proxies. */
export interface ProxyHeaders {
  /**
   * Removes the headers from a request, trusted or not, so that no later step sees or forwards them. Returns the user
   * that they name; undefined without a username.
   */
  take(request: HttpRequest): User | undefined;
  /** Whether a proxy whose certificate has this common name is trusted. */
  isAllowed(commonName: string): boolean;
}

/** Creates the reader of proxy headers, by the header names of the settings. */
export function createProxyHeaders(settings: ProxySettings): ProxyHeaders {
  const usernames = lowerCase(settings.requestheaderUsernameHeaders);
  const groups = lowerCase(settings.requestheaderGroupHeaders);
  const prefixes = lowerCase(settings.requestheaderExtraHeadersPrefix);
  const names = new Set([...usernames, ...groups]);
  const isTaken = (name: string) => names.has(name) || prefixes.some(prefix => name.startsWith(prefix));
  const allowed = new Set(settings.requestheaderAllowedNames);
  return {
    take(request) {
      if (names.size === 0 && prefixes.length === 0) return undefined;
      const values = removeHeaders(request, isTaken);
      const username = usernames.map(name => values?.[name]?.[0] ?? '').find(value => value !== '');
      if (values === undefined || username === undefined) return undefined;
      const named = groups.flatMap(name => values[name] ?? []).filter(group => group !== '');
      return withOwnGroup({ username, uid: '', groups: named, extra: extraFrom(values, prefixes) });
    },
    isAllowed: commonName => allowed.size === 0 || allowed.has(commonName),
  };
}

/** Adds `system:authenticated` to the groups unless the proxy says that the user is not authenticated. */
function withOwnGroup(user: User): User {
  const isAnonymous = user.username === anonymousName || user.groups.includes(unauthenticatedGroup);
  return isAnonymous ? user : authenticated(user);
}

function extraFrom(values: HeaderValues, prefixes: readonly string[]): User['extra'] {
  const extra: Record<string, string[]> = Object.create(null);
  for (const prefix of prefixes)
    for (const name in values) {
      if (!name.startsWith(prefix)) continue;
      const key = parseExtraKey(name.slice(prefix.length));
      extra[key] = [...(extra[key] ?? []), ...(values[name] ?? [])];
    }
  return extra;
}

function lowerCase(texts: readonly string[]): string[] {
  return texts.map(text => text.toLowerCase());
}
