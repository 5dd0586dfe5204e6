import type { CelType, PrimitiveName } from './type.ts';

const shortNames: ReadonlyMap<PrimitiveName, string> = new Map([
  ['null_type', 'null'],
  ['google.protobuf.Timestamp', 'timestamp'],
  ['google.protobuf.Duration', 'duration'],
]);

/** A type as messages name it: `list(int)`, `map(string, dyn)`. */
export function formatType(type: CelType): string {
  switch (type.kind) {
    case 'primitive':
      return shortNames.get(type.name) ?? type.name;
    case 'dyn':
      return 'dyn';
    case 'error':
      return '!error!';
    case 'list':
      return `list(${formatType(type.element)})`;
    case 'map':
      return `map(${formatType(type.key)}, ${formatType(type.value)})`;
    case 'object':
    case 'parameter':
      return type.name;
    case 'opaque':
      return type.parameters.length === 0 ? type.name : `${type.name}(${formatTypes(type.parameters)})`;
    case 'type':
      return type.of === undefined ? 'type' : `type(${formatType(type.of)})`;
  }
}

function formatTypes(types: readonly CelType[]): string {
  return types.map(formatType).join(', ');
}
