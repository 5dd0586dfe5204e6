export { type CheckedExpression, checkExpression, compileText } from './check/check-expression.ts';
export { createEnvironment, type Environment, type EnvironmentOptions } from './check/environment.ts';
export {
  compileValidationRule,
  type RuleOutcome,
  ruleEnvironment,
  ruleVariables,
} from './check/validation-rule.ts';
export { type EstimateOptions, estimateCost } from './cost/estimate-cost.ts';
export { sizeOfReplaced } from './cost/estimate-replace.ts';
export { costBudgets, figures } from './cost/figures.ts';
export { anySize, type Range } from './cost/size-range.ts';
export { urlType } from './declarations/extension-functions.ts';
export {
  type FunctionTable,
  functionTable,
  functionTableOf,
  mixedFunctionTable,
  overloadTable,
} from './declarations/function-table.ts';
export { createProgram, type Evaluation, type Program, type ProgramOptions } from './evaluate/program.ts';
export type { Expression, ParsedExpression } from './syntax/expression.ts';
export { ExpressionError, type ExpressionIssue } from './syntax/expression-error.ts';
export { maximumExpressionSize, parseExpression } from './syntax/parse-expression.ts';
export { keywords, reservedWords } from './syntax/reserved-words.ts';
export type { CheckedFacts, FunctionDeclaration, OverloadDeclaration } from './types/declarations.ts';
export { fieldNameOf } from './types/field-names.ts';
export { formatType } from './types/format-type.ts';
export { type FieldShape, type MessageShape, messageTypeOf } from './types/message-types.ts';
export { sameType } from './types/same-type.ts';
export { type SchemaPlace, schemaTypeOf } from './types/schema-types.ts';
export { type CelType, type ObjectField, type ObjectType, types } from './types/type.ts';
export { CelError } from './values/cel-error.ts';
export { valueFromJson } from './values/json-reader.ts';
export type { Value } from './values/value.ts';
