import type { ParsedExpression } from '../syntax/expression.ts';
import { ExpressionError, type ExpressionIssue } from '../syntax/expression-error.ts';
import { parseExpression } from '../syntax/parse-expression.ts';
import type { CheckedFacts } from '../types/declarations.ts';
import { type CelType, types } from '../types/type.ts';
import { Checker } from './checker.ts';
import type { Environment } from './environment.ts';
import { TypesTooComplex } from './type-bindings.ts';

/** An expression without type errors. */
export interface CheckedExpression {
  readonly parsed: ParsedExpression;
  readonly facts: CheckedFacts;
  /** The type of the expression's value. */
  readonly type: CelType;
}

/** Maximum number of issues reported for one expression. */
const maximumIssues = 20;

/** Parses and checks an expression. Throws an ExpressionError with all issues found. */
export function compileText(text: string, environment: Environment): CheckedExpression {
  return checkExpression(parseExpression(text), environment, text);
}

/** Checks a parsed expression; `text` is its source, for messages. */
export function checkExpression(
  parsed: ParsedExpression,
  environment: Environment,
  text: string,
): CheckedExpression {
  const issues: ExpressionIssue[] = [];
  const checker = new Checker(environment, (id, message) => {
    if (issues.length < maximumIssues) issues.push({ offset: parsed.positions.get(id) ?? 0, message });
  });
  const facts = checkRoot(checker, parsed, text);
  if (issues.length > 0) throw new ExpressionError(text, issues);
  return { parsed, facts, type: facts.types.get(parsed.root.id) ?? types.error };
}

function checkRoot(checker: Checker, { root }: ParsedExpression, text: string): CheckedFacts {
  try {
    return checker.collectFacts(root);
  } catch (error) {
    if (!(error instanceof TypesTooComplex)) throw error;
    throw new ExpressionError(text, [{ offset: 0, message: error.message }]);
  }
}
