import { scanJson, stepsFromStack } from './json-scan.ts';

/** A whole number that JSON text writes with a fraction or an exponent. */
export interface FloatLiteral {
  /** The way to the value: keys and positions. */
  readonly steps: readonly (string | number)[];
  readonly text: string;
}

const mostReported = 1000;
const numberText = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Finds the whole numbers in valid JSON text that are not written as integers, at most 1000 of them. */
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
