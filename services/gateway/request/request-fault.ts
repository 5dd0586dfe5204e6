/** The part of a request that is checked, of any version of HTTP. */
interface RequestHead {
  readonly httpVersionMajor: number;
  readonly httpVersionMinor: number;
  readonly rawHeaders: readonly string[];
}

/** Characters of a host with a port (RFC 9110, section 7.2), those that kube-apiserver takes. */
const hostForm = /^[A-Za-z0-9!$%&'()*+,\-.:;=[\]_~]*$/;

/** The facts about a request over HTTP/2. */
interface OverHttp2 {
  /** The counterpart of `Host` in HTTP/2; undefined where the client sent none. */
  readonly authority: string | undefined;
}

const noVersion = 'malformed HTTP request: it names no version, or one that is not 1.0 or 1.1';

/** The end of the first line of a request that names its version. */
const versionForm = / [A-Z]+\/\d\.\d\r?$/;

/**
 * The fault of the first line of a request of HTTP/1.1, as far as the parser has let it pass: it waits for headers after a line
 * without a version.
 */
export function requestLineFault(line: string): string | undefined {
  return versionForm.test(line) ? undefined : noVersion;
}

/**
 * The fault of a request that the parser has let pass; undefined for none. Over HTTP/1.1 a request must be of a
 * version 1.x. A request that names no host, two, or another one than its target can mean different things to the
 * servers on its way.
 */
export function requestFault(
  { httpVersionMajor: major, httpVersionMinor: minor, rawHeaders }: RequestHead,
  overHttp2?: OverHttp2,
): string | undefined {
  if (overHttp2 === undefined && major !== 1) return noVersion;
  let host: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!isHost(rawHeaders[i]!)) continue; // names and values take turns
    if (host !== undefined) return 'too many Host headers';
    host = rawHeaders[i + 1];
  }
  if (host === undefined) return major === 1 && minor > 0 ? 'missing required Host header' : undefined;
  if (!hostForm.test(host)) return 'malformed Host header';
  const authority = overHttp2?.authority;
  return authority !== undefined && host.toLowerCase() !== authority.toLowerCase()
    ? 'the Host header is not the authority of the request'
    : undefined;
}

/** Cheap: it is called for each header of each request. */
function isHost(name: string): boolean {
  return name.length === 4 && name.toLowerCase() === 'host';
}
