import type { JsonObject } from '@binnacle/api-objects';
import type { ScalarType } from '@binnacle/api-types';
import type { Extensions } from '../parts/extensions.ts';
import { type Dialect, referenceTo } from './dialect.ts';

/** The scalars that have a definition of their own, with the message that names and describes it. */
const definedScalars: Readonly<Partial<Record<ScalarType, string>>> = {
  time: 'meta.v1.Time',
  microTime: 'meta.v1.MicroTime',
  duration: 'meta.v1.Duration',
  quantity: 'resource.Quantity',
  intOrString: 'intstr.IntOrString',
};

const scalarsByMessage = new Map(
  Object.entries(definedScalars).map(([scalar, message]) => [message, scalar as ScalarType]),
);

/** The full name of the definition that a scalar refers to; undefined for those that stand where they are used. */
export function definitionOfScalar(scalar: ScalarType): string | undefined {
  return definedScalars[scalar];
}

/** The scalar that a message is in JSON; undefined for objects. */
export function scalarOfDefinition(fullName: string): ScalarType | undefined {
  return scalarsByMessage.get(fullName);
}

/** A scalar where it is used. */
export function scalarUse(scalar: ScalarType, dialect: Dialect): JsonObject {
  const definition = definedScalars[scalar];
  return definition === undefined ? plainScalar(scalar) : referenceTo(definition, dialect);
}

/** A scalar in its definition. */
export function scalarSchema(scalar: ScalarType, dialect: Dialect, extensions: Extensions): JsonObject {
  if (scalar === 'intOrString') {
    const marks = { format: 'int-or-string', ...extensions.of('intOrString', true) };
    return dialect === 'v2' ? { type: 'string', ...marks } : { ...oneOf('integer', 'string'), ...marks };
  }
  if (scalar === 'quantity' && dialect === 'v3') return oneOf('string', 'number');
  return plainScalar(scalar);
}

function oneOf(...types: string[]): JsonObject {
  return { oneOf: types.map(type => ({ type })) };
}

function plainScalar(scalar: ScalarType): JsonObject {
  switch (scalar) {
    case 'bool':
      return { type: 'boolean' };
    case 'int32':
    case 'int64':
      return { type: 'integer', format: scalar };
    case 'double':
      return { type: 'number', format: 'double' };
    case 'bytes':
      return { type: 'string', format: 'byte' };
    case 'time':
    case 'microTime':
      return { type: 'string', format: 'date-time' };
    case 'string':
    case 'duration':
    case 'quantity':
    case 'intOrString':
      return { type: 'string' };
    case 'json':
      return {};
  }
}
