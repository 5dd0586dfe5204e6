import type { FieldDefinition, FieldType, MessageType } from '@binnacle/api-types';
import { pickOne, type Random } from '../fuzz/random.ts';
import { anyObject, anyValue, edgeText, edgeValue, oddText } from './edge-values.ts';
import { isObjectValue, type ObjectValue, type Value } from './exact-json.ts';

/** How often a message may lie within itself. */
const recursionLimit = 1;
/** Members of metadata that a client sets; the name comes with the base object, the rest is the server's. */
const clientMetadata = new Set(['labels', 'annotations', 'finalizers']);

/** How the objects of a kind are generated. */
interface Generation {
  readonly random: Random;
  /** Paths, without list positions and map keys, that keep what the base object has. */
  readonly fixed: ReadonlySet<string>;
  /** The share of optional fields that are set, 0 to 1. */
  readonly density: number;
}

/** An object of a type with fields at the edges of their types, around the members of `base`. */
export function generateObject(message: MessageType, base: ObjectValue, generation: Generation): ObjectValue {
  return generateMessage(message, base, { ...generation, path: '', within: new Map() });
}

/** A status of a kind, from nothing; undefined for a kind that has none. */
export function generateStatus(message: MessageType, generation: Generation): Value | undefined {
  const type = message.fields.get('status')?.type;
  if (type === undefined) return undefined;
  return generateValue(type, undefined, { ...generation, path: 'status', within: new Map() });
}

interface Place extends Generation {
  readonly path: string;
  readonly within: ReadonlyMap<MessageType, number>;
}

function generateMessage(message: MessageType, base: Value | undefined, place: Place): ObjectValue {
  const { random, density, fixed, path } = place;
  const within = new Map(place.within).set(message, (place.within.get(message) ?? 0) + 1);
  const result: ObjectValue = isObjectValue(base) ? structuredClone(base) : {};
  for (const field of message.fields.values()) {
    const { name, required } = field;
    const below = path === '' ? name : `${path}.${name}`;
    if (fixed.has(below) || recursesTooDeep(field.type, within)) continue;
    if (below.startsWith('metadata.') && !clientMetadata.has(name)) continue;
    const given = result[name];
    if (given === undefined && !required && random(1000) >= density * 1000) continue;
    result[name] = generateField(field, given, { ...place, path: below, within });
  }
  return result;
}

function generateField(field: FieldDefinition, base: Value | undefined, place: Place): Value {
  const { random } = place;
  if (field.name === 'finalizers' && place.path === 'metadata.finalizers') return ['example.com/edge'];
  if (place.path === 'metadata.annotations') return annotations(random);
  if (base !== undefined && field.type.kind === 'scalar') return base;
  const { enumValues = [] } = field;
  if (enumValues.length > 0 && random(4) > 0)
    return field.type.kind === 'list' ? [pickOne(random, enumValues)] : pickOne(random, enumValues);
  return generateValue(field.type, base, place);
}

/** Texts of every kind, which each object can have there: elsewhere few of them are accepted. */
function annotations(random: Random): Value {
  return Object.fromEntries(Array.from({ length: 1 + random(8) }, (_, i) => [`edge-${i}`, oddText(random)]));
}

function generateValue(type: FieldType, base: Value | undefined, place: Place): Value {
  const { random } = place;
  switch (type.kind) {
    case 'message':
      return generateMessage(type.message, base, place);
    case 'list': {
      if (Array.isArray(base)) return base.map(element => generateValue(type.element, element, place));
      return Array.from({ length: random(3) }, () => generateValue(type.element, undefined, place));
    }
    case 'map': {
      const entries = Array.from(
        { length: random(3) },
        () => [edgeText(random), generateValue(type.value, undefined, place)] as const,
      );
      return { ...Object.fromEntries(entries), ...(isObjectValue(base) ? structuredClone(base) : {}) };
    }
    case 'scalar':
      if (base !== undefined) return base;
      if (type.alternatives !== undefined) return generateAlternative(type.alternatives, place);
      return type.scalar === 'json' && random(3) === 0 ? anyValue(random, 2) : edgeValue(random, type.scalar);
  }
}

/** A value that any field of the message can hold. */
function generateAlternative(message: MessageType, place: Place): Value {
  const possible = message.wireFields.filter(({ type }) => !recursesTooDeep(type, place.within));
  if (possible.length === 0) return anyObject(place.random, 0);
  return generateValue(pickOne(place.random, possible).type, undefined, place);
}

function recursesTooDeep(type: FieldType, within: ReadonlyMap<MessageType, number>): boolean {
  switch (type.kind) {
    case 'message':
      return (within.get(type.message) ?? 0) > recursionLimit;
    case 'list':
      return recursesTooDeep(type.element, within);
    case 'map':
      return recursesTooDeep(type.value, within);
    case 'scalar':
      return type.alternatives?.wireFields.every(field => recursesTooDeep(field.type, within)) ?? false;
  }
}
