import type { FunctionDeclaration } from '../types/declarations.ts';
import { allFunctions } from './all-functions.ts';
import type { CallDefinition, FunctionDefinition, OperatorDefinition } from './function-definition.ts';
import { operators } from './operators.ts';

/** Functions and operators by name, as the checker looks for them. */
export type FunctionTable = ReadonlyMap<string, FunctionDeclaration>;

/** Gathers declarations by name. Throws for a name or an id that is given twice. */
export function createFunctionTable(...declarations: readonly FunctionDeclaration[]): FunctionTable {
  const table = new Map<string, FunctionDeclaration>();
  const ids = new Set<string>();
  for (const declaration of declarations) {
    const { name, overloads } = declaration;
    if (table.has(name)) throw new Error(`function ${name} is declared twice`);
    for (const { id } of overloads) {
      if (ids.has(id)) throw new Error(`overload ${id} is declared twice`);
      ids.add(id);
    }
    table.set(name, declaration);
  }
  return table;
}

/** The functions that expressions of API objects can call. Numbers of two types are not compared unless one is dynamic. */
export const functionTable: FunctionTable = createFunctionTable(...operators, ...allFunctions);

const functionsByName: ReadonlyMap<string, FunctionDefinition> = byName(allFunctions);
const operatorsByName: ReadonlyMap<string, OperatorDefinition> = byName(operators);

/** The function that a call by its name means; undefined where there is none. */
export function functionNamed(name: string): FunctionDefinition | undefined {
  return functionsByName.get(name);
}

/** The operator under the name that the tree has for it; undefined where there is none. */
export function operatorNamed(name: string): OperatorDefinition | undefined {
  return operatorsByName.get(name);
}

function byName<T extends CallDefinition>(definitions: readonly T[]): ReadonlyMap<string, T> {
  return new Map(definitions.map(definition => [definition.name, definition]));
}
