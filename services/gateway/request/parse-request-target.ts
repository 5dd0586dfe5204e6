import { parseFieldSelector } from '@binnacle/api-objects';
import { badRequest } from '@binnacle/status-errors';
import type { RequestTarget, ResourceTarget } from './request-target.ts';

/** The parts of a request that name its target. */
interface RequestLine {
  readonly method: string;
  /** Not decoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
}

const namespaceSubresources = new Set(['status', 'finalize']);
const verbOfMethod: ReadonlyMap<string, string> = new Map([
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['POST', 'create'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);

/**
 * Reads what a request is about (spec 1, "Path shapes"). `canonicalGroup` turns aliases of a group into the
 * server's. Throws BadRequest for a path that cannot be decoded and for names that no object can have.
 */
export function parseRequestTarget(
  line: RequestLine,
  canonicalGroup: (group: string) => string,
): RequestTarget {
  const segments = segmentsFrom(line.path);
  const [prefix] = segments;
  const skip = prefix === 'api' ? 1 : 2;
  if ((prefix !== 'api' && prefix !== 'apis') || segments.length < skip + 2) return pathTarget(line);
  if (line.path.includes('%'))
    for (const [at, segment] of segments.entries()) segments[at] = decodeSegment(segment);
  return resourceTarget(line, segments, { groupEnd: skip, canonicalGroup });
}

interface TargetPlace {
  /** The position of the version, behind that of the group; the core group has none. */
  readonly groupEnd: number;
  readonly canonicalGroup: (group: string) => string;
}

function resourceTarget(
  line: RequestLine,
  segments: readonly string[],
  { groupEnd, canonicalGroup }: TargetPlace,
): ResourceTarget {
  const group = groupEnd === 1 ? '' : (segments[1] ?? '');
  const start = groupEnd + 1;
  const legacyWatch = segments[start] === 'watch' && segments.length > start + 1;
  const { at, namespace, inNamespace } = locate(segments, legacyWatch ? start + 1 : start);
  const resource = segments[at] ?? '';
  const name = segments[at + 1] ?? '';
  assertSegmentName(namespace, 'namespace');
  assertSegmentName(name, 'name');
  const verb = legacyWatch ? 'watch' : findVerb(line, name);
  return {
    kind: 'resource',
    group,
    version: segments[groupEnd] ?? '',
    canonicalGroup: canonicalGroup(group),
    verb,
    path: line.path,
    resource,
    subresource: segments[at + 2] ?? '',
    namespace,
    inNamespace,
    excess: segments.length > at + 3,
    name,
    requestedName: name === '' ? selectedName(line.query, verb) : name,
  };
}

/** The index of the resource among segments that begin at `start`, and the namespace before it. */
function locate(
  segments: readonly string[],
  start: number,
): { at: number; namespace: string; inNamespace: boolean } {
  const namespace = segments[start + 1];
  const third = segments[start + 2];
  if (segments[start] !== 'namespaces' || namespace === undefined)
    return { at: start, namespace: '', inNamespace: false };
  const isNamespaceItself = third === undefined || namespaceSubresources.has(third);
  return isNamespaceItself
    ? { at: start, namespace, inNamespace: false }
    : { at: start + 2, namespace, inNamespace: true };
}

function findVerb(line: RequestLine, name: string): string {
  const verb = verbOfMethod.get(line.method) ?? line.method.toLowerCase();
  if (name !== '') return verb;
  if (verb === 'get') return isWatch(line.query) ? 'watch' : 'list';
  return verb === 'delete' ? 'deletecollection' : verb;
}

function isWatch(query: URLSearchParams): boolean {
  const value = query.get('watch');
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}

function selectedName(query: URLSearchParams, verb: string): string {
  const text = query.get('fieldSelector');
  if (!text || (verb !== 'list' && verb !== 'watch')) return '';
  try {
    const named = parseFieldSelector(text).requirements.find(
      requirement => requirement.field === 'metadata.name' && requirement.operator === '=',
    );
    return named?.value ?? '';
  } catch {
    // The verb says what is wrong with the selector; who may ask is decided without it.
    return '';
  }
}

function pathTarget(line: RequestLine): RequestTarget {
  return { kind: 'path', verb: line.method.toLowerCase(), path: line.path };
}

/** The segments of a path; empty ones before the first and after the last slash do not count. */
function segmentsFrom(path: string): string[] {
  const segments: string[] = [];
  let start = path.startsWith('/') ? 1 : 0;
  if (path.length === start) return segments;
  const end = path.endsWith('/') ? path.length - 1 : path.length;
  for (;;) {
    const slash = path.indexOf('/', start);
    if (slash < 0 || slash >= end) break;
    segments.push(path.slice(start, slash));
    start = slash + 1;
  }
  segments.push(path.slice(start, end));
  return segments;
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw badRequest('the path of the request has an escape that cannot be decoded');
  }
}

/** A name stands as one segment in paths and in storage keys, so it cannot hold what would make it another. */
function assertSegmentName(name: string, what: string): void {
  if (name === '.' || name === '..' || /[/%\0]/.test(name)) {
    throw badRequest(
      `${JSON.stringify(name.slice(0, 64))} is not a valid ${what}: it may not be "." or "..", nor hold "/" or "%"`,
    );
  }
}
