import type { GroupDefinition, TypeRegistry } from '@binnacle/api-types';
import { jsonMediaType } from '@binnacle/codecs';
import { metaPackage } from '../kinds.ts';
import { type GroupVersionName, groupVersionName } from './group-version-name.ts';
import { objectMediaTypes } from './media-types.ts';
import type { ApiPart, Content, Operation } from './operation.ts';
import { resourcePart, resourcePaths } from './resource-paths.ts';
import { subresourcePaths } from './subresource-paths.ts';

/** Every part of the API with its paths, in the order of the groups. */
export function apiParts(registry: TypeRegistry): ApiPart[] {
  const core = registry.groups().find(({ group }) => group === '');
  const named = registry.groups().filter(({ group }) => group !== '');
  return [
    documentPart('api', { id: 'getCoreAPIVersions', tag: 'core', kind: 'APIVersions' }),
    ...(core?.versions ?? []).map(version => groupVersionPart(registry, '', version)),
    documentPart('apis', { id: 'getAPIVersions', tag: 'apis', kind: 'APIGroupList' }),
    ...named.flatMap(group => groupParts(registry, group)),
    versionPart,
  ];
}

function groupParts(registry: TypeRegistry, { group, versions }: GroupDefinition): ApiPart[] {
  const name = groupVersionName(group, '');
  return [
    documentPart(`apis/${group}`, { id: `get${name.group}APIGroup`, tag: name.tag, kind: 'APIGroup' }),
    ...versions.map(version => groupVersionPart(registry, group, version)),
  ];
}

function groupVersionPart(registry: TypeRegistry, group: string, version: string): ApiPart {
  const path = group === '' ? `api/${version}` : `apis/${group}/${version}`;
  const name: GroupVersionName = groupVersionName(group, version);
  const list = documentPart(path, {
    id: `get${name.inIds}APIResources`,
    tag: name.tag,
    kind: 'APIResourceList',
  });
  const resources = registry.resources
    .filter(definition => definition.group === group && definition.version === version)
    .map(resourcePart);
  const paths = resources.flatMap(part => [...resourcePaths(part), ...subresourcePaths(registry, part)]);
  return { path, paths: [...list.paths, ...paths].sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

function documentPart(path: string, facts: { id: string; tag: string; kind: string }): ApiPart {
  const content = { message: `${metaPackage}.${facts.kind}` };
  const operation = documentOperation({ ...facts, content, produces: objectMediaTypes });
  return { path, paths: [{ path: `/${path}/`, parameters: [], operations: [operation] }] };
}

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
          content: 'text',
          produces: [jsonMediaType],
        }),
      ],
    },
  ],
};

function documentOperation(facts: {
  readonly id: string;
  readonly tag: string;
  readonly content: Content;
  readonly produces: readonly string[];
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
