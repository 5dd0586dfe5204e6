/** The parts of a URL as they are written: programs that complete what is missing would find a host where there is none. */
interface UrlParts {
  /** In lower case; '' for none. */
  readonly scheme: string;
  /** With its port; '' for none. */
  readonly host: string;
  readonly user: string | undefined;
  readonly query: string;
  readonly fragment: string;
}

const form =
  /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/(?:([^/?#]*)@)?([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;
const host = /^(?:[A-Za-z0-9._~!$&'()*+,;=-]*|\[[0-9A-Fa-f:.]+\])(?::[0-9]*)?$/;

/** Takes a URL to pieces; undefined when it is none, or none that can be called once it has a scheme and a host. */
export function parseUrl(text: string): UrlParts | undefined {
  if (/[^\P{Cc}\u0080-\u009f]/u.test(text)) return undefined;
  const [, scheme = '', user, authority = '', path = '', query = '', fragment = ''] = form.exec(text) ?? [];
  const isEscaped = !/%(?![0-9A-Fa-f]{2})/.test(path + fragment);
  const hasScheme = scheme !== '' || !/^[^/]*:/.test(path);
  if (!host.test(authority) || !isEscaped || !hasScheme) return undefined;
  if (scheme !== '' && authority !== '' && !URL.canParse(text)) return undefined;
  return { scheme: scheme.toLowerCase(), host: authority, user, query, fragment };
}
