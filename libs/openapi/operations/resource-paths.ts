import type { GroupVersionKind } from '@binnacle/api-objects';
import { listMessageName, type ResourceDefinition, type Verb } from '@binnacle/api-types';
import { metaPackage } from '../parts/kinds.ts';
import { type GroupVersionName, groupVersionName } from './group-version-name.ts';
import { anyMediaType, listMediaTypes, objectMediaTypes, patchMediaTypes } from './media-types.ts';
import type { Operation, Parameter, PathOperations } from './operation.ts';
import { pathParameters, verbParameters } from './parameters.ts';

/** A resource as needed to write its operations. */
export interface ResourcePart {
  readonly definition: ResourceDefinition;
  readonly about: GroupVersionKind;
  readonly name: GroupVersionName;
  /** Scope and kind as in operation ids: `NamespacedPod`. */
  readonly subject: string;
  /** `/api/v1` or `/apis/<group>/<version>`. */
  readonly root: string;
  /** The path of the collection, relative to the root. */
  readonly collection: string;
}

/** Creates the resource part of a definition. */
export function resourcePart(definition: ResourceDefinition): ResourcePart {
  const { group, version, kind, namespaced, resource } = definition;
  return {
    definition,
    about: { group, version, kind },
    name: groupVersionName(group, version),
    subject: namespaced ? `Namespaced${kind}` : kind,
    root: group === '' ? `/api/${version}` : `/apis/${group}/${version}`,
    collection: namespaced ? `/namespaces/{namespace}/${resource}` : `/${resource}`,
  };
}

/** Returns the paths of a resource itself: collection, object, all namespaces, and the deprecated watch paths. */
export function resourcePaths(part: ResourcePart): PathOperations[] {
  const { definition, collection, subject } = part;
  const { namespaced, resource, kind } = definition;
  const everywhere = namespaced
    ? [createPath(part, `/${resource}`, [list(part, `${kind}ForAllNamespaces`)])]
    : [];
  const everywhereWatched = namespaced
    ? [createPath(part, `/watch/${resource}`, [watch(part, `${kind}ListForAllNamespaces`, 'watchlist')])]
    : [];
  return [
    createPath(part, collection, [list(part, subject), create(part), removeCollection(part)]),
    createPath(part, `${collection}/{name}`, [get(part), replace(part), patch(part), remove(part)]),
    ...everywhere,
    createPath(part, `/watch${collection}`, [watch(part, `${subject}List`, 'watchlist')]),
    createPath(part, `/watch${collection}/{name}`, [watch(part, subject, 'watch')]),
    ...everywhereWatched,
  ].filter(path => path.operations.length > 0);
}

/** Properties of an operation that its verb does not determine. */
interface OperationFacts {
  readonly id: string;
  readonly description: string;
  readonly message: string;
}

/** Creates the operation of a verb on one object, or the create operation. */
export function objectOperation(
  verb: 'create' | 'get' | 'patch' | 'update',
  facts: OperationFacts,
): Omit<Operation, 'tag' | 'about'> {
  const { id, description, message } = facts;
  const shared = { id, description, produces: objectMediaTypes, content: { message } };
  const body = { message, required: true };
  switch (verb) {
    case 'get':
      return {
        ...shared,
        method: 'get',
        action: 'get',
        query: [],
        consumes: anyMediaType,
        codes: [200, 401],
      };
    case 'create': {
      const query = verbParameters().create;
      const codes = [200, 201, 202, 401];
      return { ...shared, method: 'post', action: 'post', query, body, consumes: anyMediaType, codes };
    }
    case 'update': {
      const query = verbParameters().update;
      return {
        ...shared,
        method: 'put',
        action: 'put',
        query,
        body,
        consumes: anyMediaType,
        codes: [200, 201, 401],
      };
    }
    case 'patch': {
      const patchBody = { message: `${metaPackage}.Patch`, required: true };
      const { patch: query } = verbParameters();
      const consumes = patchMediaTypes;
      return {
        ...shared,
        method: 'patch',
        action: 'patch',
        query,
        body: patchBody,
        consumes,
        codes: [200, 201, 401],
      };
    }
  }
}

function createPath(part: ResourcePart, path: string, operations: (Operation | undefined)[]): PathOperations {
  return {
    path: part.root + path,
    parameters: pathParameters(path, part.about.kind),
    operations: operations.filter(operation => operation !== undefined),
  };
}

function has(part: ResourcePart, verb: Verb): boolean {
  return part.definition.verbs.includes(verb);
}

function described(part: ResourcePart, operation: Omit<Operation, 'tag' | 'about'>): Operation {
  return { ...operation, tag: part.name.tag, about: part.about };
}

function get(part: ResourcePart): Operation | undefined {
  return onObject(part, 'get', 'read');
}

function create(part: ResourcePart): Operation | undefined {
  return onObject(part, 'create', 'create');
}

function replace(part: ResourcePart): Operation | undefined {
  return onObject(part, 'update', 'replace');
}

function patch(part: ResourcePart): Operation | undefined {
  return onObject(part, 'patch', 'patch');
}

function onObject(
  part: ResourcePart,
  verb: 'create' | 'get' | 'patch' | 'update',
  word: string,
): Operation | undefined {
  if (!has(part, verb)) return undefined;
  const { definition, name, subject } = part;
  const facts = {
    id: `${word}${name.inIds}${subject}`,
    description: `${word} an object of kind ${definition.kind}`,
    message: definition.message.fullName,
  };
  return described(part, objectOperation(verb, facts));
}

function remove(part: ResourcePart): Operation | undefined {
  const { definition, name, subject } = part;
  if (!has(part, 'delete')) return undefined;
  const answer = definition.rules.returnsDeletedObject
    ? definition.message.fullName
    : `${metaPackage}.Status`;
  return described(part, {
    ...deletion(verbParameters().delete, answer),
    id: `delete${name.inIds}${subject}`,
    description: `delete an object of kind ${definition.kind}`,
    action: 'delete',
    codes: [200, 202, 401],
  });
}

function removeCollection(part: ResourcePart): Operation | undefined {
  const { definition, name, subject } = part;
  if (!has(part, 'deletecollection')) return undefined;
  return described(part, {
    ...deletion(verbParameters().deletecollection, `${metaPackage}.Status`),
    id: `delete${name.inIds}Collection${subject}`,
    description: `delete the objects of kind ${definition.kind} in the collection`,
    action: 'deletecollection',
    codes: [200, 401],
  });
}

function deletion(query: readonly Parameter[], answer: string) {
  return {
    method: 'delete',
    query,
    body: { message: `${metaPackage}.DeleteOptions`, required: false },
    consumes: anyMediaType,
    produces: objectMediaTypes,
    content: { message: answer },
  } as const;
}

function list(part: ResourcePart, subject: string): Operation | undefined {
  const { definition, name } = part;
  if (!has(part, 'list')) return undefined;
  return described(part, {
    ...reading('list'),
    id: `list${name.inIds}${subject}`,
    description: `list or watch objects of kind ${definition.kind}`,
    content: { message: listMessageName(definition) },
  });
}

function watch(part: ResourcePart, subject: string, action: 'watch' | 'watchlist'): Operation | undefined {
  const { definition, name } = part;
  if (!has(part, 'watch')) return undefined;
  return described(part, {
    ...reading(action),
    id: `watch${name.inIds}${subject}`,
    description: `watch changes to ${definition.kind}; the parameter 'watch' of a list does the same and is preferred`,
    content: { message: `${metaPackage}.WatchEvent` },
  });
}

function reading(action: string) {
  return {
    method: 'get',
    action,
    query: verbParameters().list,
    consumes: anyMediaType,
    produces: listMediaTypes,
    codes: [200, 401],
  } as const;
}
