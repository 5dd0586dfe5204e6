import type { GroupDefinition, TypeRegistry } from '@binnacle/api-types';
import { jsonMediaType } from '@binnacle/codecs';
import { aliasOfGroup } from '../parts/extensions.ts';
import { metaPackage } from '../parts/kinds.ts';
import { type GroupVersionName, groupVersionName } from './group-version-name.ts';
import { objectMediaTypes } from './media-types.ts';
import type { ApiPart, Content, Operation, PathOperations } from './operation.ts';
import { resourcePart, resourcePaths } from './resource-paths.ts';
import { subresourcePaths } from './subresource-paths.ts';

/** Optional parts of the API to describe. */
interface DescribedParts {
  readonly aliasGroups: boolean;
  readonly issuerDiscovery: boolean;
}

/**
 * Returns every part of the API with its paths: the groups in order, with `aliasGroups` their aliases, then the parts that belong
 * to no group.
 */
export function apiParts(
  registry: TypeRegistry,
  { aliasGroups, issuerDiscovery }: DescribedParts,
): ApiPart[] {
  const core = registry.groups().find(({ group }) => group === '');
  const named = registry.groups().filter(({ group }) => group !== '');
  return [
    documentPart('api', { id: 'getCoreAPIVersions', tag: 'core', kind: 'APIVersions' }),
    ...(core?.versions ?? []).map(version => groupVersionPart(registry, '', { version, shown: '' })),
    documentPart('apis', { id: 'getAPIVersions', tag: 'apis', kind: 'APIGroupList' }),
    ...named.flatMap(group => groupParts(registry, group, group.group)),
    ...(aliasGroups ? named.flatMap(group => aliasParts(registry, group)) : []),
    logsPart,
    ...(issuerDiscovery ? issuerParts : []),
    versionPart,
  ];
}

function aliasParts(registry: TypeRegistry, definition: GroupDefinition): ApiPart[] {
  const alias = aliasOfGroup(definition.group);
  return alias === undefined ? [] : groupParts(registry, definition, alias);
}

function groupParts(registry: TypeRegistry, { group, versions }: GroupDefinition, shown: string): ApiPart[] {
  const name = groupVersionName(shown, '');
  return [
    documentPart(`apis/${shown}`, { id: `get${name.group}APIGroup`, tag: name.tag, kind: 'APIGroup' }),
    ...versions.map(version => groupVersionPart(registry, group, { version, shown })),
  ];
}

/** Creates the part of a group version, `shown` under the group's name or an alias. */
function groupVersionPart(
  registry: TypeRegistry,
  group: string,
  { version, shown }: { readonly version: string; readonly shown: string },
): ApiPart {
  const path = group === '' ? `api/${version}` : `apis/${shown}/${version}`;
  const name: GroupVersionName = groupVersionName(shown, version);
  const list = documentPart(path, {
    id: `get${name.inIds}APIResources`,
    tag: name.tag,
    kind: 'APIResourceList',
  });
  const resources = registry.resources
    .filter(definition => definition.group === group && definition.version === version)
    .map(definition => resourcePart({ ...definition, group: shown }));
  const paths = resources.flatMap(part => {
    const all = [...resourcePaths(part), ...subresourcePaths(registry, part)];
    return part.definition.message.structure === undefined ? all : describedPaths(all);
  });
  return { path, paths: [...list.paths, ...paths].sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

function documentPart(path: string, facts: { id: string; tag: string; kind: string }): ApiPart {
  const content = { message: `${metaPackage}.${facts.kind}` };
  const operation = documentOperation({ ...facts, content, produces: objectMediaTypes });
  return { path, paths: [{ path: `/${path}/`, parameters: [], operations: [operation] }] };
}

const issuerParts: readonly ApiPart[] = [
  textPart('.well-known/openid-configuration', {
    id: 'getServiceAccountIssuerOpenIDConfiguration',
    tag: 'WellKnown',
    produces: [jsonMediaType],
  }),
  textPart('openid/v1/jwks', {
    id: 'getServiceAccountIssuerOpenIDKeyset',
    tag: 'openid',
    produces: ['application/jwk-set+json'],
  }),
];

const logs = { tag: 'logs', content: 'text', produces: [], codes: [401] } as const;
const logsPart: ApiPart = {
  path: 'logs',
  paths: [
    {
      path: '/logs/',
      parameters: [],
      operations: [documentOperation({ ...logs, id: 'logFileListHandler' })],
    },
    {
      path: '/logs/{logpath}',
      parameters: [{ name: 'logpath', in: 'path', type: 'string', description: 'path to the log' }],
      operations: [documentOperation({ ...logs, id: 'logFileHandler' })],
    },
  ],
};

const versionPart: ApiPart = {
  path: 'version',
  paths: [
    {
      path: '/version/',
      parameters: [],
      operations: [
        documentOperation({
          id: 'getCodeVersion',
          tag: 'version',
          produces: [jsonMediaType],
          content: { message: 'version.Info' },
        }),
      ],
    },
  ],
};

/** Creates the part of a text document. */
function textPart(
  path: string,
  facts: { readonly id: string; readonly tag: string; readonly produces: readonly string[] },
): ApiPart {
  const operation = documentOperation({ ...facts, content: 'text' });
  return { path, paths: [{ path: `/${path}/`, parameters: [], operations: [operation] }] };
}

function documentOperation(facts: {
  readonly id: string;
  readonly tag: string;
  readonly content: Content;
  readonly produces: readonly string[];
  readonly codes?: readonly number[];
}): Operation {
  return {
    method: 'get',
    description: 'read what is available here',
    query: [],
    consumes: facts.produces,
    codes: [200, 401],
    ...facts,
  };
}

/**
 * Adapts the paths of a resource with a schema: without the deprecated watch paths, and without formats that require field
 * numbers or merge keys.
 */
function describedPaths(paths: readonly PathOperations[]): PathOperations[] {
  return paths
    .filter(({ path }) => !path.includes('/watch/'))
    .map(path => ({ ...path, operations: path.operations.map(described) }));
}

function described(operation: Operation): Operation {
  // A subresource of a built-in kind supports the formats of that kind.
  if (operation.about?.kind === 'Scale') return operation;
  const { consumes, produces } = operation;
  return { ...operation, consumes: consumes.filter(isOffered), produces: produces.filter(isOffered) };
}

function isOffered(mediaType: string): boolean {
  return !mediaType.includes('protobuf') && !mediaType.includes('strategic-merge-patch');
}
