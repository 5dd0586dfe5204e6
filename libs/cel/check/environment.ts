import { type FunctionTable, functionTable } from '../functions/function-table.ts';
import { resolveDeclared } from '../names/resolve-name.ts';
import type { FunctionDeclaration } from '../types/declarations.ts';
import { type CelType, type ObjectType, types } from '../types/type.ts';

/** The names and functions that an expression may use. */
export interface Environment {
  /** By name, which may contain dots. */
  readonly variables: ReadonlyMap<string, CelType>;
  readonly functions: FunctionTable;
  /** The container in which names are looked up first, from the innermost part outwards: `a.b`; default: ''. */
  readonly container: string;
  /** Messages that expressions can name and construct, by name; default: none. */
  readonly objectTypes: ReadonlyMap<string, ObjectType>;
  /** Whether the elements of a list literal, or the keys or values of a map literal, may have different types; default: false. */
  readonly mixedLiterals: boolean;
}

/** Options of an environment; the defaults are those of expressions over API objects. */
type EnvironmentOptions = Partial<Omit<Environment, 'variables'>> & {
  readonly variables: Iterable<readonly [string, CelType]>;
};

/** Creates an environment. */
export function createEnvironment(options: EnvironmentOptions): Environment {
  return {
    functions: functionTable,
    container: '',
    objectTypes: new Map(),
    mixedLiterals: false,
    ...options,
    variables: new Map(options.variables),
  };
}

/** Names of types that can be used as expressions. */
const typeNames: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ['bool', types.type(types.bool)],
  ['bytes', types.type(types.bytes)],
  ['double', types.type(types.double)],
  ['int', types.type(types.int)],
  ['uint', types.type(types.uint)],
  ['string', types.type(types.string)],
  ['list', types.type(types.list(types.dyn))],
  ['map', types.type(types.map(types.dyn, types.dyn))],
  ['null_type', types.type(types.null)],
  ['type', types.type(types.type())],
  ['google.protobuf.Timestamp', types.type(types.timestamp)],
  ['google.protobuf.Duration', types.type(types.duration)],
]);

/** A declared name and its type. */
export interface NamedType {
  readonly name: string;
  readonly type: CelType;
}

/** Finds the variable or type with a full name. */
export function declaredName(environment: Environment, fullName: string): NamedType | undefined {
  const type = environment.variables.get(fullName) ?? typeNamed(environment, fullName);
  return type === undefined ? undefined : { name: fullName, type };
}

/** Finds the function with a name. */
export function findFunction(environment: Environment, name: string): FunctionDeclaration | undefined {
  return resolveDeclared(name, environment.container, fullName => environment.functions.get(fullName));
}

function typeNamed({ objectTypes }: Environment, name: string): CelType | undefined {
  const object = objectTypes.get(name);
  return object === undefined ? typeNames.get(name) : types.type(object);
}
