/** Parts of the expression language for tests of other packages, besides index.ts. */

export type { CheckedExpression } from './check/check-expression.ts';
export { type RuleOutcome, ruleEnvironment } from './check/validation-rule.ts';
export type { Range } from './cost/size-range.ts';
export { estimateCost } from './estimate/estimate-cost.ts';
export type { Evaluation } from './evaluate/program.ts';
export { sizeOfReplaced } from './functions/replace.ts';
export type { RuleBudgets } from './schema-rules/schema-rules.ts';
export { ExpressionError } from './syntax/expression-error.ts';
export { parseExpression } from './syntax/parse-expression.ts';
export { typeFromSchema } from './types/schema-types.ts';
