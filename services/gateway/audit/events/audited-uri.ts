/** Parameters that hold credentials, by the ends of their names; of the API's own parameters none is such. */
const secretName = /(token|password|secret|authorization|credentials?|api[-_]?key|signature)$/i;

/** The target of a request as its audit shows it: path and query, without the parameters that hold credentials. */
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
  // Unlike decodeURIComponent, which throws at what it does not understand, this reads what the server would read.
  const [[decoded = ''] = []] = new URLSearchParams(name);
  return decoded.trim();
}
