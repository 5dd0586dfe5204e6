/** Letters, digits and marks that a host may have as they are; everything beyond ASCII may, too. */
const hostText = /^(?:[A-Za-z0-9!$&'()*+,;=:[\]<>"\-_.~\u0080-\u{10ffff}]|%(?:[89a-f][0-9a-f]|25))*$/iu;
const userText = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})*$/i;
const escapeFault = /%(?![0-9a-f]{2})/i;
const portText = /^(?::\d*)?$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const controlCharacter = /[\0-\x1f\x7f]/;

/**
 * Whether a text can stand in the first line of a request: an absolute URI, or an absolute path. What follows a scheme
 * without a slash may be anything.
 */
export function isRequestUri(text: string): boolean {
  if (text === '' || controlCharacter.test(text) || text.startsWith(':')) return false;
  if (text === '*') return true;
  const scheme = /^[a-z][a-z0-9+\-.]*:/i.exec(text)?.[0] ?? '';
  const [hierarchy = ''] = text.slice(scheme.length).split('?', 1);
  if (!hierarchy.startsWith('/')) return scheme !== '';
  if (scheme === '' || !hierarchy.startsWith('//')) return !escapeFault.test(hierarchy);
  const slash = hierarchy.indexOf('/', 2);
  const authority = slash < 0 ? hierarchy.slice(2) : hierarchy.slice(2, slash);
  return isAuthority(authority) && (slash < 0 || !escapeFault.test(hierarchy.slice(slash)));
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@');
  return (at < 0 || userText.test(authority.slice(0, at))) && isHostAndPort(authority.slice(at + 1));
}

function isHostAndPort(text: string): boolean {
  const bracket = text.startsWith('[') ? text.lastIndexOf(']') : 0;
  if (bracket < 0) return false;
  const colon = bracket > 0 ? bracket + 1 : text.lastIndexOf(':');
  const port = colon < 0 ? '' : text.slice(colon);
  return portText.test(port) && hostText.test(text.slice(0, text.length - port.length));
}
