import { allFunctions } from '../functions/all-functions.ts';
import { createFunctionTable, type FunctionTable } from '../functions/function-table.ts';
import { operators } from '../functions/operators.ts';

/** The functions that expressions of API objects can call, with comparisons of numbers of two types, which the standard has too. */
export const mixedFunctionTable: FunctionTable = createFunctionTable(
  ...operators.map(({ name, overloads, mixedOverloads = [] }) => ({
    name,
    overloads: [...overloads, ...mixedOverloads],
  })),
  ...allFunctions,
);
