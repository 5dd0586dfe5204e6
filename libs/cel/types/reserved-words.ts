/** Words that are no names at all. */
export const keywords: ReadonlySet<string> = new Set(['false', 'in', 'null', 'true']);

/** Words that are no names of variables or functions, though fields can have them. */
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
