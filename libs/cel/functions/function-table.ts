import type { FunctionDeclaration } from '../types/declarations.ts';
import { allFunctions } from './all-functions.ts';
import type { CallDefinition, FunctionDefinition, OperatorDefinition } from './function-definition.ts';
import { operators } from './operators.ts';

/** Functions and operators by name, for the checker. */
export type FunctionTable = ReadonlyMap<string, FunctionDeclaration>;

/** Creates a table of declarations by name. Throws for a duplicate name or overload id. */
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

/** The functions of expressions over API objects. Comparisons of different number types require a dynamic operand. */
export const functionTable: FunctionTable = createFunctionTable(...operators, ...allFunctions);

const functionsByName: ReadonlyMap<string, FunctionDefinition> = byName(allFunctions);
const operatorsByName: ReadonlyMap<string, OperatorDefinition> = byName(operators);

/** Finds the function with a name; undefined if there is none. */
export function functionNamed(name: string): FunctionDefinition | undefined {
  return functionsByName.get(name);
}

/** Finds the operator with a name of the syntax tree; undefined if there is none. */
export function operatorNamed(name: string): OperatorDefinition | undefined {
  return operatorsByName.get(name);
}

function byName<T extends CallDefinition>(definitions: readonly T[]): ReadonlyMap<string, T> {
  return new Map(definitions.map(definition => [definition.name, definition]));
}
