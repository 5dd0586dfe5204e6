import { type FieldSchema, type TypedSchema, untypedDeduced } from '../schemas/typed-schema.ts';

/** Creates a schema of declared fields. */
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

/** Creates a schema of a map with values of one type. */
export function createMapSchema(
  values: TypedSchema,
  mapType: 'granular' | 'atomic' = 'granular',
): TypedSchema {
  return { map: { mapType, fields: new Map(), values } };
}

/** A string. */
export const text: TypedSchema = { scalar: 'string' };

/** A number. */
export const number: TypedSchema = { scalar: 'number' };

/** A list of strings managed element by element. */
export const setOfTexts: TypedSchema = { list: { listType: 'set', keys: [], element: text } };

/** A list of strings managed as a whole. */
export const atomicList: TypedSchema = { list: { listType: 'atomic', keys: [], element: text } };

/** A list whose elements are identified by port and protocol; the protocol defaults to TCP. */
export const ports: TypedSchema = {
  list: {
    listType: 'map',
    keys: [{ name: 'port' }, { name: 'protocol', default: 'TCP' }],
    element: struct({ port: number, protocol: text, name: text, tags: setOfTexts }),
  },
};

/** An object with a field of every kind that managers share differently. */
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
