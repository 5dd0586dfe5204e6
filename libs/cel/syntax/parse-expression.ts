import type { ParsedExpression } from './expression.ts';
import { ExpressionError } from './expression-error.ts';
import { Parser } from './parser.ts';
import { createSourceText } from './source-text.ts';
import { SyntaxIssue } from './syntax-issue.ts';

/** Maximum length of an expression in code points. */
export const maximumExpressionSize = 100_000;

/**
 * Parses a Common Expression Language expression (specification 2, "Expression language"). Throws an ExpressionError at the first
 * syntax error, and for a text that is too long or nests too deep.
 */
export function parseExpression(text: string): ParsedExpression {
  const source = createSourceText(text);
  if (source.size > maximumExpressionSize)
    throw new ExpressionError('', [
      { offset: 0, message: `expression has ${source.size} code points, more than ${maximumExpressionSize}` },
    ]);
  try {
    return new Parser(source).parse();
  } catch (error) {
    if (!(error instanceof SyntaxIssue)) throw error;
    throw new ExpressionError(text, [{ offset: source.offsetOf(error.index), message: error.message }]);
  }
}
