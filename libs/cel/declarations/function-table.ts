import type { FunctionDeclaration, OverloadDeclaration } from '../types/declarations.ts';
import { extensionFunctionDeclarations } from './extension-functions.ts';
import { mixedComparisonDeclarations, operatorDeclarations } from './operators.ts';
import { standardFunctionDeclarations } from './standard-functions.ts';
import { textFunctionDeclarations } from './text-functions.ts';

/** Functions by name; a name that several libraries declare has the signatures of all. */
export type FunctionTable = ReadonlyMap<string, FunctionDeclaration>;

/** Gathers declarations by name. Throws for an id that is given twice. */
export function functionTableOf(...libraries: readonly (readonly FunctionDeclaration[])[]): FunctionTable {
  const table = new Map<string, FunctionDeclaration>();
  const ids = new Set<string>();
  for (const { name, overloads } of libraries.flat()) {
    for (const { id } of overloads) {
      if (ids.has(id)) throw new Error(`overload ${id} is declared twice`);
      ids.add(id);
    }
    table.set(name, { name, overloads: [...(table.get(name)?.overloads ?? []), ...overloads] });
  }
  return table;
}

/** What the expressions of API objects can call. Numbers of two types are not compared unless one is dynamic. */
export const functionTable: FunctionTable = functionTableOf(
  operatorDeclarations,
  standardFunctionDeclarations,
  textFunctionDeclarations,
  extensionFunctionDeclarations,
);

/** The same with comparisons of numbers of two types. */
export const mixedFunctionTable: FunctionTable = functionTableOf(
  operatorDeclarations,
  mixedComparisonDeclarations,
  standardFunctionDeclarations,
  textFunctionDeclarations,
  extensionFunctionDeclarations,
);

/** Every signature that there is, by its id: what an evaluator has to implement. */
export const overloadTable: ReadonlyMap<string, OverloadDeclaration> = new Map(
  [...mixedFunctionTable.values()].flatMap(({ overloads }) =>
    overloads.map(overload => [overload.id, overload] as const),
  ),
);
