/** Words that cannot be names at all. */
export const keywords: ReadonlySet<string> = new Set(['false', 'in', 'null', 'true']);

/** Words that cannot be names of variables or functions, only of fields. */
export const reservedWords: ReadonlySet<string> = new Set([
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'namespace',
  'package',
  'return',
  'var',
  'void',
  'while',
]);
