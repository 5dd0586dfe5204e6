import {
  type MessageType,
  messageNamed,
  type SubresourceDefinition,
  type TypeRegistry,
  type Verb,
} from '@binnacle/api-types';
import { messageOfKind, subresourceKind } from '../parts/kinds.ts';
import { capitalized } from './group-version-name.ts';
import { anyMediaType } from './media-types.ts';
import type { Method, Operation, PathOperations } from './operation.ts';
import { createQueryParameters, pathParameters } from './parameters.ts';
import { objectOperation, type ResourcePart } from './resource-paths.ts';

/** Subresources with a text response, and the message of their parameters. */
const texts: Readonly<Record<string, string>> = { log: 'core.v1.PodLogOptions' };

const words = { create: 'create', get: 'read', patch: 'patch', update: 'replace' } as const;

const methods: Readonly<Partial<Record<Verb, readonly Method[]>>> = {
  create: ['post'],
  delete: ['delete'],
  get: ['get', 'head', 'options'],
  patch: ['patch'],
  update: ['put'],
};

/** Returns the paths of the subresources of a resource. */
export function subresourcePaths(registry: TypeRegistry, part: ResourcePart): PathOperations[] {
  return [...part.definition.subresources.values()].flatMap(subresource => {
    const message = messageOfKind(registry, subresourceKind(part.definition, subresource));
    if (isConnection(subresource)) return connectionPaths(part, subresource, message);
    const path = `${part.collection}/{name}/${subresource.name}`;
    const operations = subresource.verbs.flatMap(verb =>
      createOperations(part, subresource, { verb, message }),
    );
    return [{ path: part.root + path, parameters: pathParameters(path, part.about.kind), operations }];
  });
}

/** Whether a subresource is a connection: its kind then describes the parameters and is never a body. */
function isConnection(subresource: SubresourceDefinition): boolean {
  return subresource.kind.endsWith('Options');
}

function createOperations(
  part: ResourcePart,
  subresource: SubresourceDefinition,
  { verb, message }: { verb: Verb; message: MessageType },
): Operation[] {
  if (verb !== 'create' && verb !== 'get' && verb !== 'patch' && verb !== 'update') return [];
  const facts = {
    id: `${words[verb]}${part.name.inIds}${part.subject}${capitalized(subresource.name)}`,
    description: `${words[verb]} ${subresource.name} of an object of kind ${part.about.kind}`,
    message: message.fullName,
  };
  const identity = { tag: part.name.tag, about: subresourceKind(part.definition, subresource) };
  const operation: Operation = { ...objectOperation(verb, facts), ...identity };
  const options = texts[subresource.name];
  if (options === undefined) return [operation];
  const query = createQueryParameters(messageNamed(options));
  return [{ ...operation, query, content: 'text', produces: ['text/plain'] }];
}

function connectionPaths(
  part: ResourcePart,
  subresource: SubresourceDefinition,
  options: MessageType,
): PathOperations[] {
  const query = createQueryParameters(options);
  const operationsFor = (suffix: string): Operation[] =>
    subresource.verbs
      .flatMap(verb => methods[verb] ?? [])
      // Only the proxy subresource has methods without an API verb.
      .filter(method => subresource.name === 'proxy' || method === 'get' || method === 'post')
      .map(method => ({
        method,
        id: `connect${part.name.inIds}${capitalized(method)}${part.subject}${capitalized(subresource.name)}${suffix}`,
        description: `connect ${method.toUpperCase()} requests to ${subresource.name} of ${part.about.kind}`,
        tag: part.name.tag,
        action: 'connect',
        about: subresourceKind(part.definition, subresource),
        query: suffix === '' ? query : query.filter(({ name }) => name !== 'path'),
        consumes: anyMediaType,
        produces: anyMediaType,
        codes: [200, 401],
        content: 'text',
      }));
  const path = `${part.collection}/{name}/${subresource.name}`;
  const below = subresource.name === 'proxy' ? [{ path: `${path}/{path}`, suffix: 'WithPath' }] : [];
  return [{ path, suffix: '' }, ...below].map(entry => ({
    path: part.root + entry.path,
    parameters: pathParameters(entry.path, part.about.kind).filter(({ name }) => name !== 'pretty'),
    operations: operationsFor(entry.suffix),
  }));
}
