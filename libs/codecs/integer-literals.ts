import { pathText } from '@binnacle/api-objects';
import type { FieldType, MessageType } from '@binnacle/api-types';
import type { FloatLiteral } from './json/float-literals.ts';

/** An integer field whose value is not written as an integer. */
interface LiteralMismatch {
  readonly path: string;
  readonly found: string;
  readonly expected: string;
}

/**
 * Finds the first integer field of a message whose JSON value has a fraction or an exponent (`1.0`, `1e3`). Kubernetes' client
 * libraries refuse such a literal even for a whole number.
 */
export function floatInIntegerField(
  message: MessageType,
  literals: readonly FloatLiteral[],
): LiteralMismatch | undefined {
  for (const { steps, text } of literals) {
    const expected = integerTypeAt(message, steps);
    if (expected !== undefined)
      return { path: pathText(steps), found: `number ${text.slice(0, 64)}`, expected };
  }
  return undefined;
}

function integerTypeAt(message: MessageType, steps: readonly (string | number)[]): string | undefined {
  let type: FieldType | undefined = { kind: 'message', message };
  for (const step of steps) {
    if (type === undefined) return undefined;
    type = typeBelow(type, step);
  }
  if (type?.kind !== 'scalar' || type.alternatives !== undefined) return undefined;
  if (type.scalar === 'intOrString') return 'int32';
  return type.scalar === 'int32' || type.scalar === 'int64' ? type.scalar : undefined;
}

function typeBelow(type: FieldType, step: string | number): FieldType | undefined {
  switch (type.kind) {
    case 'message':
      return type.message.fields.get(String(step))?.type;
    case 'list':
      return type.element;
    case 'map':
      return type.value;
    case 'scalar':
      return undefined;
  }
}
