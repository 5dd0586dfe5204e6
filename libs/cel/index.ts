/**
 * The expression language of API fields, the Common Expression Language (specification 2, "Expression language").
 *
 * An expression goes these steps, each in a folder of its own: `syntax` reads the text into a tree with its macros
 * expanded; `check` finds the type of every node and the overloads that each call can mean, against an environment of
 * variables and object types (`types`, made of schemas or messages); `estimate` finds what it costs at most; `evaluate`
 * compiles the checked tree to a program over `values`, which counts what it costs as it runs (`frame`). All of them go by
 * `functions`, where each function of the language is one definition of its overloads, evaluation and estimate, by `names`
 * for what a name means, and by the figures of `cost`. `schema-rules` applies it all to the rules of schemas.
 *
 * Typing is gradual: where a type is dynamic a call may mean several overloads, and the values decide. Everything is
 * bounded: the length and depth of a text, the steps of checking types, the cost of evaluation.
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
