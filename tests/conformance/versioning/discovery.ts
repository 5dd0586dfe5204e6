import assert from 'node:assert/strict';
import { understood } from '@binnacle/api-names';
import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { type Answer, at, type ConformanceServer } from '../drivers/conformance-server.ts';

/** One version of a group, as discovery lists it. */
interface ServedVersion {
  /** "" for the core group. */
  readonly group: string;
  readonly version: string;
  /** `v1` or `apps/v1`. */
  readonly groupVersion: string;
  /** `/api/v1` or `/apis/apps/v1`. */
  readonly path: string;
}

/** One resource or subresource of a version. */
interface ServedResource extends ServedVersion {
  /** `pods` or `pods/status`. */
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly storageVersionHash: string;
}

/** How far a version has come, by its name: spec 1, "API levels". */
export type Stability = 'alpha' | 'beta' | 'stable';

/** The other names that groups are known by. */
const aliases = new Set(Object.values(understood.groups).flatMap(([, ...others]) => others));

/** Every version of every group, under the names of the specification alone: aliases are left out. */
export async function servedVersions(server: ConformanceServer): Promise<ServedVersion[]> {
  const core = await server.expect(200, 'GET', '/api');
  const named = await server.expect(200, 'GET', '/apis');
  const groups = listAt(named, 'groups').filter(group => !aliases.has(String(at(group, 'name'))));
  return [
    ...listAt(core, 'versions').map(version => servedVersion('', String(version))),
    ...groups.flatMap(group => {
      const versions = at(group, 'versions');
      assert.ok(Array.isArray(versions));
      return versions.map(entry => servedVersion(String(at(group, 'name')), String(at(entry, 'version'))));
    }),
  ];
}

/** Every resource and subresource of these versions. */
export async function servedResources(
  server: ConformanceServer,
  versions?: readonly ServedVersion[],
): Promise<ServedResource[]> {
  const found: ServedResource[] = [];
  for (const served of versions ?? (await servedVersions(server))) {
    const list = await server.expect(200, 'GET', served.path);
    assert.equal(list.at('groupVersion'), served.groupVersion);
    found.push(...objectsAt(list, 'resources').map(entry => servedResource(served, entry)));
  }
  return found;
}

/** How far a version has come, as its name says; fails for a name that is none of a version. */
export function stabilityFromVersion(version: string): Stability {
  const match = /^v[1-9]\d*(?:(alpha|beta)[1-9]\d*)?$/.exec(version);
  assert.ok(match, `${version} is no name of a version`);
  return match[1] === 'alpha' || match[1] === 'beta' ? match[1] : 'stable';
}

/** The deprecation of a resource, as its clients learn of it. */
interface Deprecation {
  readonly resource: ServedResource;
  readonly text: string;
  /** Minor release since which it is deprecated; undefined where the text names none. */
  readonly since: number | undefined;
  /** Minor release in which it is gone. */
  readonly goneIn: number | undefined;
  /** The group and version to use instead. */
  readonly successor: string | undefined;
}

/** The deprecations that a server warns of, found by listing every resource that can be listed. */
export async function deprecations(server: ConformanceServer): Promise<Deprecation[]> {
  const found: Deprecation[] = [];
  for (const resource of await servedResources(server)) {
    if (resource.name.includes('/') || !resource.verbs.includes('list')) continue;
    const { warnings } = await server.expect(200, 'GET', `${resource.path}/${resource.name}?limit=1`);
    found.push(...warnings.map(text => deprecationFrom(resource, text)));
  }
  return found;
}

function deprecationFrom(resource: ServedResource, text: string): Deprecation {
  const minor = (pattern: RegExp) => {
    const [, digits] = pattern.exec(text) ?? [];
    return digits === undefined ? undefined : Number(digits);
  };
  return {
    resource,
    text,
    since: minor(/ is deprecated in v1\.(\d+)\+/),
    goneIn: minor(/ unavailable in v1\.(\d+)\+/),
    successor: /; use (\S+) \S+$/.exec(text)?.[1],
  };
}

function servedVersion(group: string, version: string): ServedVersion {
  const groupVersion = group === '' ? version : `${group}/${version}`;
  const path = group === '' ? `/api/${version}` : `/apis/${groupVersion}`;
  return { group, version, groupVersion, path };
}

function servedResource(served: ServedVersion, entry: JsonObject): ServedResource {
  const verbs = entry['verbs'];
  assert.ok(Array.isArray(verbs));
  return {
    ...served,
    name: String(entry['name']),
    kind: String(entry['kind']),
    namespaced: entry['namespaced'] === true,
    verbs: verbs.map(String),
    storageVersionHash: String(entry['storageVersionHash'] ?? ''),
  };
}

function listAt(answer: Answer, name: string): JsonValue[] {
  const list = answer.at(name);
  assert.ok(Array.isArray(list), answer.text);
  return list;
}

function objectsAt(answer: Answer, name: string): JsonObject[] {
  return listAt(answer, name).filter(isJsonObject);
}
