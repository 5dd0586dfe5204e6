import type { JsonObject } from '@binnacle/api-objects';
import type { ScalarType } from '@binnacle/api-types';
import type { Extensions } from '../parts/extensions.ts';
import type { Dialect } from './dialect.ts';

/** Definitions of scalars that are arbitrary objects in JSON. */
const anyObjects: ReadonlySet<string> = new Set(['meta.v1.FieldsV1', 'runtime.RawExtension']);

/** Returns the schema of a scalar for its definition. */
export function scalarDefinition(
  { fullName, scalar }: { readonly fullName: string; readonly scalar: ScalarType },
  { dialect, extensions }: { readonly dialect: Dialect; readonly extensions: Extensions },
): JsonObject {
  if (anyObjects.has(fullName)) return { type: 'object' };
  if (scalar === 'intOrString') {
    const marks = { format: 'int-or-string', ...extensions.of('intOrString', true) };
    return dialect === 'v2' ? { type: 'string', ...marks } : { ...oneOfTypes('integer', 'string'), ...marks };
  }
  if (scalar === 'quantity' && dialect === 'v3') return oneOfTypes('string', 'number');
  return plainScalar(scalar);
}

function oneOfTypes(...types: string[]): JsonObject {
  return { oneOf: types.map(type => ({ type })) };
}

/** Returns the schema of a scalar that has no definition. */
export function plainScalar(scalar: ScalarType): JsonObject {
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
