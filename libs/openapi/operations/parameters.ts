import { type FieldDefinition, type MessageType, messageNamed } from '@binnacle/api-types';
import { metaPackage } from '../parts/kinds.ts';
import type { Parameter } from './operation.ts';

/** The query parameters of the API verbs (spec 3, "Endpoints"). */
interface VerbParameters {
  readonly list: readonly Parameter[];
  readonly create: readonly Parameter[];
  readonly update: readonly Parameter[];
  readonly patch: readonly Parameter[];
  readonly delete: readonly Parameter[];
  readonly deletecollection: readonly Parameter[];
}

let known: VerbParameters | undefined;

/** Returns the query parameters of each verb, from the option kinds of the meta group. */
export function verbParameters(): VerbParameters {
  known ??= buildVerbParameters();
  return known;
}

function buildVerbParameters(): VerbParameters {
  const list = createQueryParameters(metaMessage('ListOptions'));
  const deletion = createQueryParameters(metaMessage('DeleteOptions'));
  const isOfCollection = (name: string) => name !== 'watch' && name !== 'allowWatchBookmarks';
  return {
    list,
    create: createQueryParameters(metaMessage('CreateOptions')),
    update: createQueryParameters(metaMessage('UpdateOptions')),
    patch: createQueryParameters(metaMessage('PatchOptions')),
    delete: deletion,
    deletecollection: sorted([...list.filter(({ name }) => isOfCollection(name)), ...deletion]),
  };
}

/** Returns the fields of an option kind that can be query parameters. */
export function createQueryParameters(message: MessageType): Parameter[] {
  return sorted([...message.fields.values()].flatMap(queryParameter));
}

/** Returns the parameters in a path, and `pretty`, which every request accepts. */
export function pathParameters(path: string, kind: string): Parameter[] {
  const named: Readonly<Record<string, string>> = {
    name: `The name of the ${kind}.`,
    namespace: 'The namespace of the request.',
    path: 'What follows in the path of the request that is passed on.',
  };
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']): Parameter => {
    return { name, in: 'path', type: 'string', description: named[name] ?? '' };
  });
  const pretty: Parameter = {
    name: 'pretty',
    in: 'query',
    type: 'string',
    description: 'Whether JSON is written for people: on lines of its own, indented.',
  };
  return [...sorted(inPath), pretty];
}

function metaMessage(kind: string): MessageType {
  return messageNamed(`${metaPackage}.${kind}`);
}

function queryParameter({ name, type, description }: FieldDefinition): Parameter[] {
  const leaf = type.kind === 'list' ? type.element : type;
  if (leaf.kind !== 'scalar') return [];
  switch (leaf.scalar) {
    case 'bool':
      return [{ name, in: 'query', type: 'boolean', description }];
    case 'int32':
    case 'int64':
      return [{ name, in: 'query', type: 'integer', description }];
    default:
      return [{ name, in: 'query', type: 'string', description }];
  }
}

/** Sorts by name; of duplicates the first one is kept. */
function sorted(parameters: readonly Parameter[]): Parameter[] {
  const byName = new Map<string, Parameter>();
  for (const parameter of parameters) if (!byName.has(parameter.name)) byName.set(parameter.name, parameter);
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
