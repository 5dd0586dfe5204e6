import type { CelType, PrimitiveName } from './type.ts';

const shortNames: ReadonlyMap<PrimitiveName, string> = new Map([
  ['null_type', 'null'],
  ['google.protobuf.Timestamp', 'timestamp'],
  ['google.protobuf.Duration', 'duration'],
]);

/** Maximum depth of a formatted type: its size may double with each level. */
const deepestShown = 10;

/** Formats a type for messages: `list(int)`, `map(string, dyn)`. */
export function formatType(type: CelType): string {
  return format(type, 0);
}

function format(type: CelType, depth: number): string {
  if (depth > deepestShown) return '…';
  switch (type.kind) {
    case 'primitive':
      return shortNames.get(type.name) ?? type.name;
    case 'dyn':
      return 'dyn';
    case 'error':
      return '!error!';
    case 'list':
      return `list(${format(type.element, depth + 1)})`;
    case 'map':
      return `map(${format(type.key, depth + 1)}, ${format(type.value, depth + 1)})`;
    case 'object':
    case 'parameter':
      return type.name;
    case 'opaque':
      return type.parameters.length === 0
        ? type.name
        : `${type.name}(${type.parameters.map(part => format(part, depth + 1)).join(', ')})`;
    case 'type':
      return type.of === undefined ? 'type' : `type(${format(type.of, depth + 1)})`;
  }
}
