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
  const segments = line.path.split('/').filter((segment, index, all) => isKept(segment, index, all.length));
  const [prefix] = segments;
  const skip = prefix === 'api' ? 1 : 2;
  if ((prefix !== 'api' && prefix !== 'apis') || segments.length < skip + 2) return pathTarget(line);
  const decoded = segments.map(decodeSegment);
  const group = prefix === 'api' ? '' : (decoded[1] ?? '');
  const version = decoded[skip] ?? '';
  return resourceTarget(line, decoded.slice(skip + 1), {
    group,
    version,
    canonicalGroup: canonicalGroup(group),
  });
}

function resourceTarget(
  line: RequestLine,
  segments: string[],
  groupVersion: { group: string; version: string; canonicalGroup: string },
): ResourceTarget {
  const legacyWatch = segments[0] === 'watch' && segments.length > 1;
  const rest = legacyWatch ? segments.slice(1) : segments;
  const located = locate(rest);
  const [resource = '', name = '', subresource = ''] = located.parts;
  assertSegmentName(located.namespace, 'namespace');
  assertSegmentName(name, 'name');
  const verb = legacyWatch ? 'watch' : findVerb(line, name);
  const target = {
    kind: 'resource',
    ...groupVersion,
    verb,
    path: line.path,
    resource,
    subresource,
    namespace: located.namespace,
    inNamespace: located.inNamespace,
    excess: located.parts.length > 3,
    name,
  } as const;
  return { ...target, requestedName: name === '' ? selectedName(line.query, verb) : name };
}

function locate(segments: string[]): { parts: string[]; namespace: string; inNamespace: boolean } {
  const [first, namespace, third] = segments;
  if (first !== 'namespaces' || namespace === undefined) {
    return { parts: segments, namespace: '', inNamespace: false };
  }
  const isNamespaceItself = third === undefined || namespaceSubresources.has(third);
  if (isNamespaceItself) return { parts: segments, namespace, inNamespace: false };
  return { parts: segments.slice(2), namespace, inNamespace: true };
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

/** The empty segments before the first and after the last slash do not count. */
function isKept(segment: string, index: number, length: number): boolean {
  return segment !== '' || (index !== 0 && index !== length - 1);
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
