import { allFunctions } from '../functions/all-functions.ts';
import { createFunctionTable, type FunctionTable } from '../functions/function-table.ts';
import { operators } from '../functions/operators.ts';

/** The functions of API expressions plus comparisons of different number types, which the standard declares. */
export const mixedFunctionTable: FunctionTable = createFunctionTable(
  ...operators.map(({ name, overloads, mixedOverloads = [] }) => ({
    name,
    overloads: [...overloads, ...mixedOverloads],
  })),
  ...allFunctions,
);
