import { type FieldSchema, type TypedSchema, untypedDeduced } from '../schemas/typed-schema.ts';

/** Makes a schema of declared fields. */
export function struct(
  members: Readonly<Record<string, TypedSchema>>,
  mapType: 'granular' | 'atomic' = 'granular',
): TypedSchema {
  const fields = Object.entries(members).map(([name, schema]): [string, FieldSchema] => [
    name,
    { element: `f:${name}`, schema },
  ]);
  return { map: { mapType, fields: new Map(fields) } };
}

/** Makes a schema of a map with entries of one type. */
export function createMapSchema(
  values: TypedSchema,
  mapType: 'granular' | 'atomic' = 'granular',
): TypedSchema {
  return { map: { mapType, fields: new Map(), values } };
}

/** A text. */
export const text: TypedSchema = { scalar: 'string' };

/** A number. */
export const number: TypedSchema = { scalar: 'number' };

/** A list managed element by element, elements being scalars. */
export const setOfTexts: TypedSchema = { list: { listType: 'set', keys: [], element: text } };

/** A list managed as a whole. */
export const atomicList: TypedSchema = { list: { listType: 'atomic', keys: [], element: text } };

/** A list of elements that port and protocol tell apart; the protocol is TCP where it is not given. */
export const ports: TypedSchema = {
  list: {
    listType: 'map',
    keys: [{ name: 'port' }, { name: 'protocol', default: 'TCP' }],
    element: struct({ port: number, protocol: text, name: text, tags: setOfTexts }),
  },
};

/** An object with a field of every kind that managers share in another way. */
export const everything: TypedSchema = struct({
  apiVersion: text,
  kind: text,
  metadata: struct({
    name: text,
    labels: createMapSchema(text),
    annotations: createMapSchema(text),
    finalizers: setOfTexts,
  }),
  spec: struct({
    replicas: number,
    selector: createMapSchema(text, 'atomic'),
    strategy: struct({ type: text, limit: number }, 'atomic'),
    nested: struct({ a: text, b: struct({ c: text, d: text }) }),
    data: createMapSchema(text),
    ports,
    args: atomicList,
    free: untypedDeduced,
  }),
});
