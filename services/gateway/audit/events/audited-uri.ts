/** Names of query parameters that hold credentials; no parameter of the API itself has such a name. */
const secretName = /(token|password|secret|authorization|credentials?|api[-_]?key|signature)$/i;

/** Path and query of a request, without the parameters that hold credentials. */
export function auditedUri(path: string, url: string): string {
  const question = url.indexOf('?');
  if (question < 0) return path;
  const query = url
    .slice(question + 1)
    .split('&')
    .filter(pair => !secretName.test(nameOf(pair)))
    .join('&');
  return query === '' ? path : `${path}?${query}`;
}

function nameOf(pair: string): string {
  const equals = pair.indexOf('=');
  const name = (equals < 0 ? pair : pair.slice(0, equals)).replaceAll('+', ' ');
  if (!name.includes('%')) return name.trim();
  // Decodes as the server does; decodeURIComponent throws on malformed escapes.
  const [[decoded = ''] = []] = new URLSearchParams(name);
  return decoded.trim();
}
