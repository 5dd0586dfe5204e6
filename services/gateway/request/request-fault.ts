/** A request as far as its form is checked, of any version of HTTP. */
interface RequestHead {
  readonly httpVersionMajor: number;
  readonly httpVersionMinor: number;
  readonly rawHeaders: readonly string[];
}

/** What a host and a port can consist of (RFC 9110, section 7.2), as Go's HTTP server checks it. */
const hostForm = /^[A-Za-z0-9!$%&'()*+,\-.:;=[\]_~]*$/;

/**
 * What is wrong with a request that the parser has let pass; undefined for none. A request without a version, or over
 * HTTP/1.1 of another version, is none; one that names no host, two, or one that it is not addressed to means different
 * things to the servers that it passes. `authority` is what HTTP/2 has in place of `Host`.
 */
export function requestFault(
  { httpVersionMajor: major, httpVersionMinor: minor, rawHeaders }: RequestHead,
  authority?: string,
): string | undefined {
  if (major === 0) return 'malformed HTTP request: it names no version, or one before 1.0';
  const hosts = rawHeaders.filter((_, i) => i % 2 === 1 && isHost(rawHeaders[i - 1] ?? ''));
  if (hosts.length > 1) return 'too many Host headers';
  const [host] = hosts;
  if (host === undefined && major === 1 && minor > 0) return 'missing required Host header';
  if (host !== undefined && !hostForm.test(host)) return 'malformed Host header';
  if (host !== undefined && authority !== undefined && host.toLowerCase() !== authority.toLowerCase())
    return 'the Host header is not the authority of the request';
  return undefined;
}

/** Cheap: it is asked about each header of each request. */
function isHost(name: string): boolean {
  return name.length === 4 && name.toLowerCase() === 'host';
}
