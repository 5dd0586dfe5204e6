import { CelError } from '../values/cel-error.ts';
import { UrlValue } from '../values/url-value.ts';

const invalid = new CelError('not a URL: it must be absolute, or an absolute path');

const schemeFormat = /^([A-Za-z][A-Za-z0-9+.-]*):/;
/** User information, then a name, an IPv4 address or a bracketed IPv6 address, then a port. */
const authorityFormat = /^(?:([^@]*)@)?(\[[^\]\s]*\]|[^:[\]]*)(?::(\d*))?$/;
const userFormat = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:]|%[0-9A-Fa-f]{2})*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const controlCharacter = /[\u0000-\u001f\u007f]/;
const brokenEscape = /%(?![0-9A-Fa-f]{2})/;
/** Characters that a host must not contain unescaped. */
const notInHost = /[\s<>"\\^`{|}/?#]/;
/** A path without characters that need escaping. */
const escapedPathFormat = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/[\]]|%[0-9A-Fa-f]{2})*$/;

/** Parses an absolute URL, or a path that begins with a slash, without normalization. */
export function parseUrl(text: string): UrlValue | CelError {
  if (controlCharacter.test(text)) return invalid;
  const hash = text.indexOf('#');
  const [withoutFragment, fragment] = hash < 0 ? [text, ''] : [text.slice(0, hash), text.slice(hash + 1)];
  if (brokenEscape.test(fragment)) return invalid;
  const schemeMatch = schemeFormat.exec(withoutFragment);
  const scheme = schemeMatch?.[1]?.toLowerCase() ?? '';
  const [beforeQuery, rawQuery] = cut(withoutFragment.slice(schemeMatch?.[0].length ?? 0), '?');
  // Text after a scheme without a slash is opaque.
  if (!beforeQuery.startsWith('/'))
    return scheme === '' ? invalid : createUrl({ text, scheme, rawQuery, authority: '', path: '' });
  const hasAuthority = beforeQuery.startsWith('//') && (scheme !== '' || !beforeQuery.startsWith('///'));
  if (!hasAuthority) return createUrl({ text, scheme, rawQuery, authority: '', path: beforeQuery });
  const slash = beforeQuery.indexOf('/', 2);
  const authority = slash < 0 ? beforeQuery.slice(2) : beforeQuery.slice(2, slash);
  return createUrl({ text, scheme, rawQuery, authority, path: slash < 0 ? '' : beforeQuery.slice(slash) });
}

function createUrl(parts: {
  text: string;
  scheme: string;
  rawQuery: string;
  authority: string;
  path: string;
}): UrlValue | CelError {
  const match = authorityFormat.exec(parts.authority);
  if (match === null || brokenEscape.test(parts.path)) return invalid;
  const [, user = '', host = '', port] = match;
  if (!userFormat.test(user) || notInHost.test(host) || brokenEscape.test(host)) return invalid;
  const hostname = host.startsWith('[') ? host.slice(1, -1) : host;
  return new UrlValue({
    text: parts.text,
    scheme: parts.scheme,
    host: port === undefined ? host : `${host}:${port}`,
    hostname,
    port: port ?? '',
    escapedPath: escapedPathFormat.test(parts.path) ? parts.path : escapePath(parts.path),
    rawQuery: parts.rawQuery,
  });
}

function escapePath(path: string): string {
  return path
    .split(/(%[0-9A-Fa-f]{2})/)
    .map((part, index) => (index % 2 === 1 ? part : encodePart(part)))
    .join('');
}

function encodePart(part: string): string {
  return encodeURI(part.toWellFormed()).replace(
    /[*'()!]/g,
    mark => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function cut(text: string, separator: string): readonly [string, string] {
  const place = text.indexOf(separator);
  return place < 0 ? [text, ''] : [text.slice(0, place), text.slice(place + 1)];
}
