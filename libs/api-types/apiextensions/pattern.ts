import { RE2JS } from 're2js';

const maxKept = 1000;
const kept = new Map<string, RE2JS | undefined>();

/** Whether a text is a regular expression in the syntax of the field (RE2). */
export function isPattern(pattern: string): boolean {
  return compiled(pattern) !== undefined;
}

/** Whether a value has a match, found in time linear in its length; false for a pattern that is none. */
export function matchesPattern(pattern: string, value: string): boolean {
  return compiled(pattern)?.matcher(value).find() ?? false;
}

function compiled(pattern: string): RE2JS | undefined {
  if (kept.has(pattern)) return kept.get(pattern);
  if (kept.size >= maxKept) kept.clear();
  const expression = expressionFrom(pattern);
  kept.set(pattern, expression);
  return expression;
}

function expressionFrom(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return undefined; // It throws for nothing but the pattern.
  }
}
