export { urlType } from './declarations/extension-functions.ts';
export {
  type FunctionTable,
  functionTable,
  functionTableOf,
  mixedFunctionTable,
  overloadTable,
} from './declarations/function-table.ts';
export type { Expression, ParsedExpression } from './syntax/expression.ts';
export type { CheckedFacts, FunctionDeclaration, OverloadDeclaration } from './types/declarations.ts';
export { type CelType, type ObjectField, type ObjectType, types } from './types/type.ts';
