import { pickOne, type Random } from '../fuzz/random.ts';
import { anyObject, anyValue, edgeText, edgeValue } from './edge-values.ts';
import { isObjectValue, type ObjectValue, type Value } from './exact-json.ts';

/** The group of all generated definitions. */
export const generatedGroup = 'edges.example.com';

/** A definition with a schema that is generated, for objects with `spec` and a `status` of their own. */
export function generateDefinition(random: Random, plural: string, kind: string): ObjectValue {
  const part = () => generateSchema(random, { depth: 3, type: 'object' });
  const schema = { type: 'object', properties: { spec: part(), status: part() } };
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: schema },
    subresources: { status: {} },
  };
  return {
    apiVersion: 'apiextensions.cluster.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${generatedGroup}` },
    spec: {
      group: generatedGroup,
      names: { plural, kind },
      scope: 'Namespaced',
      versions: [version],
    },
  };
}

/** The schema of a part of the objects of a generated definition. */
export function schemaOfPart(definition: ObjectValue, part: 'spec' | 'status'): ObjectValue {
  const { versions } = definition['spec'] as { versions: { schema: { openAPIV3Schema: ObjectValue } }[] };
  const properties = versions[0]?.schema.openAPIV3Schema['properties'];
  return (isObjectValue(properties) ? properties[part] : undefined) as ObjectValue; // generateDefinition gives both
}

type SchemaType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'intOrString' | 'any';
const leaves: readonly SchemaType[] = ['string', 'integer', 'number', 'boolean', 'intOrString', 'any'];
const types: readonly SchemaType[] = [...leaves, 'array', 'array', 'object', 'object'];

function generateSchema(
  random: Random,
  {
    depth,
    type = pickOne(random, depth > 0 ? types : leaves),
  }: { readonly depth: number; readonly type?: SchemaType },
): ObjectValue {
  const schema = schemaOfType(random, type, depth);
  // Below a default there may be others, which would make of it another one.
  if (leaves.includes(type) && type !== 'any' && random(4) === 0)
    schema['default'] = generateFrom(schema, random);
  else if (type !== 'any' && random(5) === 0) schema['nullable'] = true;
  return schema;
}

function schemaOfType(random: Random, type: SchemaType, depth: number): ObjectValue {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'number':
      return { type };
    case 'integer':
      return { type, ...pickOne<ObjectValue>(random, [{}, { format: 'int32' }, { format: 'int64' }]) };
    case 'intOrString':
      return { 'x-cluster-int-or-string': true };
    case 'any':
      return { 'x-cluster-preserve-unknown-fields': true };
    case 'array':
      return arraySchema(random, depth - 1);
    case 'object':
      return objectSchema(random, depth - 1);
  }
}

function arraySchema(random: Random, depth: number): ObjectValue {
  switch (random(3)) {
    case 0:
      return {
        type: 'array',
        'x-cluster-list-type': 'set',
        items: { type: pickOne(random, ['string', 'integer', 'number']) },
      };
    case 1: {
      const items = objectSchema(random, depth);
      const key = { type: pickOne(random, ['string', 'integer']) };
      const properties = isObjectValue(items['properties']) ? items['properties'] : {};
      return {
        type: 'array',
        'x-cluster-list-type': 'map',
        'x-cluster-list-map-keys': ['key'],
        items: { type: 'object', required: ['key'], properties: { ...properties, key } },
      };
    }
    default:
      return { type: 'array', items: generateSchema(random, { depth }) };
  }
}

function objectSchema(random: Random, depth: number): ObjectValue {
  if (random(8) === 0)
    return {
      type: 'object',
      'x-cluster-embedded-resource': true,
      'x-cluster-preserve-unknown-fields': true,
    };
  if (random(4) === 0) return { type: 'object', additionalProperties: generateSchema(random, { depth }) };
  const names = ['a', 'b', 'yes', '0400', 'c d', 'x/y~z', '$ref', 'Tëxt'].slice(0, 2 + random(7));
  const properties = Object.fromEntries(names.map(name => [name, generateSchema(random, { depth })]));
  return {
    type: 'object',
    properties,
    ...(random(3) === 0 && { 'x-cluster-preserve-unknown-fields': true }),
  };
}

/** A value at the edges of what a schema permits. */
export function generateFrom(schema: ObjectValue, random: Random): Value {
  if (schema['nullable'] === true && random(4) === 0) return null;
  switch (schema['type']) {
    case 'string':
      return edgeText(random);
    case 'boolean':
      return random(2) === 0;
    case 'integer':
      return edgeValue(random, schema['format'] === 'int32' ? 'int32' : 'int64');
    case 'number':
      return edgeValue(random, pickOne(random, ['double', 'int64']));
    case 'array':
      return listFrom(schema, random);
    case 'object':
      return objectFrom(schema, random);
    default:
      return schema['x-cluster-int-or-string'] === true
        ? pickOne<Value>(random, [edgeText(random), edgeValue(random, 'int64')])
        : anyValue(random, 2);
  }
}

function listFrom(schema: ObjectValue, random: Random): Value[] {
  const items = schema['items'] as ObjectValue; // every generated list has them
  const values = Array.from({ length: random(4) }, () => generateFrom(items, random));
  const keys = new Set<string>();
  const isNew = (value: Value): boolean => {
    const key = schema['x-cluster-list-type'] === 'map' && isObjectValue(value) ? value['key'] : value;
    const text = String(key);
    return keys.size < keys.add(text).size;
  };
  if (schema['x-cluster-list-type'] !== 'map')
    return schema['x-cluster-list-type'] === 'set' ? values.filter(isNew) : values;
  const keySchema = (items['properties'] as ObjectValue)['key'] as ObjectValue; // every generated list of maps has it
  return values
    .map(value => ({ ...(value as ObjectValue), key: generateFrom(keySchema, random) }))
    .filter(isNew);
}

function objectFrom(schema: ObjectValue, random: Random): ObjectValue {
  const members: (readonly [string, Value])[] =
    schema['x-cluster-embedded-resource'] === true ? embeddedMembers(random) : [];
  const { properties, additionalProperties } = schema;
  if (isObjectValue(properties))
    for (const [name, property] of Object.entries(properties))
      if (random(4) > 0 && isObjectValue(property)) members.push([name, generateFrom(property, random)]);
  if (isObjectValue(additionalProperties))
    for (let i = random(3); i > 0; i--)
      members.push([edgeText(random), generateFrom(additionalProperties, random)]);
  if (schema['x-cluster-preserve-unknown-fields'] === true && random(2) === 0)
    members.push(['unknown', anyObject(random, 1)]);
  // Assignments would take the key __proto__ for something else.
  return Object.fromEntries(members);
}

/** Members that an object within an object must have, and some of those that each can have. */
function embeddedMembers(random: Random): [string, Value][] {
  const texts = Array.from({ length: random(3) }, () => [edgeText(random), edgeText(random)] as const);
  const annotations = Object.fromEntries(texts.map(([name, text]) => [`a.example.com/${name.length}`, text]));
  const metadata = { name: 'a', annotations, generation: edgeValue(random, 'int64') };
  return [
    ['apiVersion', 'example.com/v1'],
    ['kind', 'Embedded'],
    ['metadata', random(3) === 0 ? {} : metadata],
  ];
}
