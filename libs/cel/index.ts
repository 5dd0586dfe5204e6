export type { Expression, ParsedExpression } from './syntax/expression.ts';
export type { CelType } from './types/type.ts';
