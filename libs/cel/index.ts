/**
 * The expression language of API fields, the Common Expression Language (specification 2, "Expression language").
 *
 * An expression goes these steps, each in a folder of its own: `syntax` reads the text into a tree with its macros
 * expanded; `check` finds the type of every node and the overloads that each call can mean, against an environment of
 * variables, functions (`declarations`, one table for everybody) and object types (`types`, made of schemas or messages);
 * `evaluate` compiles the checked tree to a program over `values`, with the functions of `library`; `cost` estimates what
 * a program costs at most, and counts what it costs as it runs.
 *
 * Typing is gradual: where a type is dynamic a call may mean several overloads, and the values decide. Everything is
 * bounded: the length and depth of a text, the steps of checking types, the cost of evaluation.
 */

export { type CheckedExpression, checkExpression, compileText } from './check/check-expression.ts';
export { createEnvironment, type Environment, type EnvironmentOptions } from './check/environment.ts';
export {
  compileValidationRule,
  type RuleOutcome,
  ruleEnvironment,
  ruleVariables,
} from './check/validation-rule.ts';
export { costBudgets, figures } from './cost/figures.ts';
export { anySize, type Range } from './cost/size-range.ts';
export { type EstimateOptions, estimateCost } from './estimate/estimate-cost.ts';
export { createProgram, type Evaluation, type Program, type ProgramOptions } from './evaluate/program.ts';
export {
  type FunctionTable,
  functionTable,
  functionTableOf,
  mixedFunctionTable,
  overloadTable,
} from './functions/function-table.ts';
export { sizeOfReplaced } from './functions/size-of-replaced.ts';
export { urlType } from './functions/url.ts';
export { definitionRuleErrors, estimateLimits } from './schema-rules/definition-rules.ts';
export { type RuleBudgets, type SchemaRules, schemaRulesOf } from './schema-rules/schema-rules.ts';
export type { Expression, ParsedExpression } from './syntax/expression.ts';
export { ExpressionError, type ExpressionIssue } from './syntax/expression-error.ts';
export { maximumExpressionSize, parseExpression } from './syntax/parse-expression.ts';
export type { CheckedFacts, FunctionDeclaration, OverloadDeclaration } from './types/declarations.ts';
export { fieldNameOf } from './types/field-names.ts';
export { formatType } from './types/format-type.ts';
export { type FieldShape, type MessageShape, messageTypeOf } from './types/message-types.ts';
export { keywords, reservedWords } from './types/reserved-words.ts';
export { sameType } from './types/same-type.ts';
export { type SchemaPlace, schemaTypeOf } from './types/schema-types.ts';
export { type CelType, type ObjectField, type ObjectType, types } from './types/type.ts';
export { CelError } from './values/cel-error.ts';
export { valueFromJson } from './values/json-reader.ts';
export type { Value } from './values/value.ts';
