import { readTokens } from '../source-scan/tokens.ts';

/** One import of another module. */
export interface ModuleImport {
  /** The text between the quotes. */
  readonly specifier: string;
  readonly line: number;
  /** True for `import type` and `export type`, which are gone when the program runs. */
  readonly typeOnly: boolean;
}

/** The imports of a source file: static, re-exports, side effects, and dynamic ones of a literal. */
export function findImports(source: string): ModuleImport[] {
  const tokens = readTokens(source);
  const imports: ModuleImport[] = [];
  let statementIsTypeOnly = false;
  for (const [index, token] of tokens.entries()) {
    const previous = tokens[index - 1];
    const next = tokens[index + 1];
    if (token.kind === 'word' && (token.text === 'import' || token.text === 'export')) {
      statementIsTypeOnly = next?.text === 'type' && tokens[index + 2]?.text !== 'from';
    }
    if (token.kind !== 'string') continue;
    const isFrom = previous?.kind === 'word' && previous.text === 'from';
    const isBare = previous?.kind === 'word' && previous.text === 'import';
    const isDynamic = previous?.text === '(' && tokens[index - 2]?.text === 'import';
    if (isFrom || isBare || isDynamic) {
      imports.push({
        specifier: token.text,
        line: token.line,
        typeOnly: isFrom && statementIsTypeOnly,
      });
    }
  }
  return imports;
}
