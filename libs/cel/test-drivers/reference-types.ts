import type { CheckedFacts } from '../types/declarations.ts';
import { type CelType, types } from '../types/type.ts';

/** A type in the form of the standard's test data. */
interface ReferenceType {
  readonly typeKind: { readonly case?: string | undefined; readonly value?: unknown };
}

const primitives: readonly (CelType | undefined)[] = [
  undefined,
  types.bool,
  types.int,
  types.uint,
  types.double,
  types.string,
  types.bytes,
];

/** Converts a declared type of the test data; undefined if it requires protobuf messages. */
export function typeFromReference({ typeKind }: ReferenceType): CelType | undefined {
  const { case: kind, value } = typeKind;
  switch (kind) {
    case 'primitive':
      return primitives[value as number];
    case 'dyn':
      return types.dyn;
    case 'null':
      return types.null;
    case 'wellKnown':
      return [undefined, undefined, types.timestamp, types.duration][value as number];
    case 'typeParam':
      return types.parameter(value as string);
    case 'listType':
      return buildPart(value, 'elemType', types.list);
    case 'mapType':
      return buildPart(value, 'keyType', key => buildPart(value, 'valueType', item => types.map(key, item)));
    default:
      return undefined;
  }
}

function buildPart(
  value: unknown,
  name: string,
  build: (part: CelType) => CelType | undefined,
): CelType | undefined {
  // In the generated message each of these properties is a type or absent.
  const part = (value as Record<string, ReferenceType | undefined>)[name];
  const type = part === undefined ? undefined : typeFromReference(part);
  return type === undefined ? undefined : build(type);
}

/** Converts facts to the standard's messages, by node id. */
export function createReferenceFacts({ types: byId, names, overloads }: CheckedFacts): unknown {
  const referenceMap: Record<string, unknown> = {};
  for (const [id, name] of names) referenceMap[id] = { name, overloadId: [] };
  for (const [id, ids] of overloads) referenceMap[id] = { name: '', overloadId: [...ids] };
  return {
    typeMap: Object.fromEntries([...byId].map(([id, type]) => [id, createReferenceType(type)])),
    referenceMap,
  };
}

function createReferenceType(type: CelType): ReferenceType {
  return { typeKind: createReferenceKind(type) };
}

function createReferenceKind(type: CelType): ReferenceType['typeKind'] {
  switch (type.kind) {
    case 'primitive': {
      if (type.name === 'null_type') return { case: 'null', value: 0 };
      const index = primitives.findIndex(one => one?.kind === 'primitive' && one.name === type.name);
      if (index > 0) return { case: 'primitive', value: index };
      return { case: 'wellKnown', value: type.name === 'google.protobuf.Timestamp' ? 2 : 3 };
    }
    case 'dyn':
      return { case: 'dyn' };
    case 'error':
      return { case: 'error' };
    case 'list':
      return { case: 'listType', value: { elemType: createReferenceType(type.element) } };
    case 'map':
      return {
        case: 'mapType',
        value: { keyType: createReferenceType(type.key), valueType: createReferenceType(type.value) },
      };
    case 'object':
      return { case: 'messageType', value: type.name };
    case 'opaque':
      return {
        case: 'abstractType',
        value: { name: type.name, parameterTypes: type.parameters.map(createReferenceType) },
      };
    case 'type':
      return { case: 'type', value: type.of === undefined ? undefined : createReferenceType(type.of) };
    case 'parameter':
      return { case: 'typeParam', value: type.name };
  }
}

const named: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ['bool', types.bool],
  ['int', types.int],
  ['uint', types.uint],
  ['double', types.double],
  ['string', types.string],
  ['bytes', types.bytes],
  ['null', types.null],
  ['timestamp', types.timestamp],
  ['duration', types.duration],
  ['dyn', types.dyn],
]);

/** Parses a type text such as `map(string, dyn)`; undefined for messages. */
export function typeFromText(text: string): CelType | undefined {
  const element = /^list\((.*)\)$/.exec(text)?.[1];
  if (element !== undefined) {
    const type = typeFromText(element);
    return type === undefined ? undefined : types.list(type);
  }
  const [, keyText, valueText] = /^map\((\w+), (.*)\)$/.exec(text) ?? [];
  if (keyText === undefined || valueText === undefined) return named.get(text);
  const [key, value] = [typeFromText(keyText), typeFromText(valueText)];
  return key === undefined || value === undefined ? undefined : types.map(key, value);
}
