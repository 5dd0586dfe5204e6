import { scanJson, stepsFromStack } from './json-scan.ts';

/** A whole number written with a fraction or an exponent in JSON text. */
export interface FloatLiteral {
  /** Path to the value: keys and indexes. */
  readonly steps: readonly (string | number)[];
  readonly text: string;
}

const mostReported = 1000;
const numberText = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Finds the whole numbers that valid JSON text writes as floats, at most 1,000. */
export function findFloatLiterals(text: string): FloatLiteral[] {
  const found: FloatLiteral[] = [];
  scanJson(text, {
    onNumber(start, stack) {
      numberText.lastIndex = start;
      const literal = numberText.exec(text)?.[0] ?? '';
      const isFloat = /[.eE]/.test(literal) && Number.isInteger(Number(literal));
      if (isFloat && found.length < mostReported) found.push({ steps: stepsFromStack(stack), text: literal });
      return start + Math.max(literal.length, 1);
    },
  });
  return found;
}
