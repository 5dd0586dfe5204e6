import { allFunctions } from '../functions/all-functions.ts';
import { type FunctionTable, functionTableOf } from '../functions/function-table.ts';
import { operators } from '../functions/operators.ts';

/** The functions that expressions of API objects can call, with comparisons of numbers of two types, which the standard has too. */
export const mixedFunctionTable: FunctionTable = functionTableOf(
  ...operators.map(({ name, overloads, mixedOverloads = [] }) => ({
    name,
    overloads: [...overloads, ...mixedOverloads],
  })),
  ...allFunctions,
);
