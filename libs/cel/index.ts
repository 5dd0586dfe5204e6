/**
 * The Common Expression Language of API fields (specification 2, "Expression language").
 *
 * An expression is processed in steps, each in a folder of its own: `syntax` parses the text to a tree with expanded macros;
 * `check` determines the type of every node and the possible overloads of each call, in an environment of variables and object
 * types (`types`, created from schemas or messages); `estimate` computes the maximum cost; `evaluate` compiles the checked tree
 * to a program over `values`, which counts its cost at run time (`frame`). All steps use `functions`, where one definition per
 * function contains its overloads, evaluation and estimate, `names` for the resolution of names, and the figures of `cost`.
 * `schema-rules` applies these steps to the validation rules of schemas.
 *
 * Typing is gradual: a call with a dynamic type may have several possible overloads, and the values decide. Everything is
 * bounded: the length and depth of a text, the steps of type checking, the cost of evaluation.
 */

export { compileText } from './check/check-expression.ts';
export { createEnvironment, type Environment } from './check/environment.ts';
export { compileValidationRule } from './check/validation-rule.ts';
export { costBudgets } from './cost/figures.ts';
export { createProgram, type Program } from './evaluate/program.ts';
export { definitionRuleErrors } from './schema-rules/definition-rules.ts';
export { compileSchemaRules } from './schema-rules/schema-rules.ts';
export { type CelType, type ObjectField, type ObjectType, types } from './types/type.ts';
export { CelError } from './values/cel-error.ts';
export { valueFromJson } from './values/json-reader.ts';
export type { Value } from './values/value.ts';
