import { type NameScope, resolveDeclared, resolveName } from '../names/resolve-name.ts';
import type {
  CallExpression,
  ComprehensionExpression,
  Constant,
  Expression,
  IdentifierExpression,
  MapExpression,
  SelectExpression,
  StructExpression,
} from '../syntax/expression.ts';
import { findQualifiedName } from '../syntax/qualified-name.ts';
import type { CheckedFacts, FunctionDeclaration, OverloadDeclaration } from '../types/declarations.ts';
import { formatType } from '../types/format-type.ts';
import { sameType } from '../types/same-type.ts';
import { type CelType, types } from '../types/type.ts';
import { Uint } from '../values/uint.ts';
import { declaredName, type Environment, findFunction, type NamedType } from './environment.ts';
import { instantiate } from './instantiate.ts';
import { TypeBindings } from './type-bindings.ts';

/** Called for each issue at a node. */
type IssueListener = (id: number, message: string) => void;

/** Determines the types of one tree. A node with an issue has the error type, which matches every type. */
export class Checker {
  readonly #environment: Environment;
  readonly #onIssue: IssueListener;
  readonly #bindings = new TypeBindings();
  readonly #types = new Map<number, CelType>();
  readonly #names = new Map<number, string>();
  readonly #overloads = new Map<number, readonly string[]>();
  /** Variables of the enclosing loops, innermost last. */
  readonly #locals: NamedType[] = [];
  readonly #scope: NameScope<NamedType>;

  constructor(environment: Environment, onIssue: IssueListener) {
    this.#environment = environment;
    this.#onIssue = onIssue;
    this.#scope = {
      container: environment.container,
      loopVariable: name => this.#locals.findLast(local => local.name === name),
      declared: fullName => declaredName(environment, fullName),
    };
  }

  /** Returns the facts of a node and all nodes below it. */
  collectFacts(root: Expression): CheckedFacts {
    this.#check(root);
    const resolved = new Map<number, CelType>();
    for (const [id, type] of this.#types) resolved.set(id, this.#bindings.resolve(type, 'dyn'));
    return { types: resolved, names: this.#names, overloads: this.#overloads };
  }

  #check(node: Expression): CelType {
    const type = this.#inferType(node);
    this.#types.set(node.id, type);
    return type;
  }

  #inferType(node: Expression): CelType {
    switch (node.kind) {
      case 'constant':
        return typeOfConstant(node.value);
      case 'identifier':
        return this.#named(node) ?? this.#undeclared(node.id, node.name);
      case 'select':
        return this.#select(node);
      case 'call':
        return this.#call(node);
      case 'list': {
        const element = this.#joined(node.elements);
        return types.list(element ?? this.#bindings.freshParameter());
      }
      case 'map':
        return this.#map(node);
      case 'struct':
        return this.#struct(node);
      case 'comprehension':
        return this.#loop(node);
    }
  }

  #named(node: IdentifierExpression | SelectExpression): CelType | undefined {
    return this.#meant(node.id, resolveName(node, this.#scope));
  }

  #meant(id: number, found: NamedType | undefined): CelType | undefined {
    if (found !== undefined) this.#names.set(id, found.name);
    return found?.type;
  }

  #undeclared(id: number, name: string): CelType {
    return this.#issue(
      id,
      `undeclared reference to '${name}' (in container '${this.#environment.container}')`,
    );
  }

  #select(node: SelectExpression): CelType {
    const qualified = this.#named(node);
    if (qualified !== undefined) return qualified;
    const operand = this.#bindings.resolve(this.#check(node.operand), 'keep');
    const field = this.#field(node.id, operand, node.field);
    return node.isTest ? types.bool : this.#bindings.resolve(field, 'keep');
  }

  #field(id: number, operand: CelType, field: string): CelType {
    switch (operand.kind) {
      case 'map':
        return operand.value;
      case 'object':
        return operand.field(field)?.type ?? this.#issue(id, `undefined field '${field}'`);
      case 'parameter':
        // Binds the operand to dyn, so that later uses cannot give it another type.
        this.#bindings.agree(types.dyn, operand);
        return types.dyn;
      case 'dyn':
      case 'error':
        return types.dyn;
      default:
        return this.#issue(id, `values of type '${this.#shown(operand)}' have no fields`);
    }
  }

  #call(node: CallExpression): CelType {
    const args = node.arguments.map(argument => this.#check(argument));
    const { target } = node;
    if (target === undefined) {
      const found = findFunction(this.#environment, node.function);
      if (found === undefined) return this.#undeclared(node.id, node.function);
      return this.#result(node.id, found, args, false);
    }
    const prefix = findQualifiedName(target);
    const qualified =
      prefix === undefined ? undefined : findFunction(this.#environment, `${prefix}.${node.function}`);
    if (qualified !== undefined) return this.#result(node.id, qualified, args, false);
    const targetType = this.#check(target);
    const method = this.#environment.functions.get(node.function);
    if (method === undefined) return this.#undeclared(node.id, node.function);
    return this.#result(node.id, method, [targetType, ...args], true);
  }

  /** Returns the result type of the matching overloads: dyn if they differ. */
  #result(
    id: number,
    { name, overloads }: FunctionDeclaration,
    args: readonly CelType[],
    isMethod: boolean,
  ): CelType {
    let result: CelType | undefined;
    const fitting: string[] = [];
    for (const overload of overloads) {
      if (overload.isMethod !== isMethod || overload.parameters.length !== args.length) continue;
      const found = this.#matchOverload(overload, args);
      if (found === undefined) continue;
      fitting.push(overload.id);
      if (result === undefined) result = found;
      else if (result.kind !== 'dyn' && !sameType(result, found)) result = types.dyn;
    }
    this.#overloads.set(id, fitting);
    return result ?? this.#issue(id, this.#noOverload(name, args, isMethod));
  }

  #matchOverload(overload: OverloadDeclaration, args: readonly CelType[]): CelType | undefined {
    const { parameters, result } = instantiate(overload, () => this.#bindings.freshParameter());
    if (!this.#bindings.agreeAll(args, parameters)) return undefined;
    const resolved = this.#bindings.resolve(result, 'keep');
    // The element type of a dynamic value is unknown, and its uses must not determine it.
    return resolved.kind === 'parameter' ? types.dyn : resolved;
  }

  #noOverload(name: string, args: readonly CelType[], isMethod: boolean): string {
    const shown = args.map(type => this.#shown(type));
    const target = isMethod ? `${shown.shift() ?? ''}.` : '';
    return `found no matching overload for '${name}' applied to '${target}(${shown.join(', ')})'`;
  }

  #map({ entries }: MapExpression): CelType {
    const key = this.#joined(entries.map(entry => entry.key));
    const value = this.#joined(entries.map(entry => entry.value));
    return types.map(key ?? this.#bindings.freshParameter(), value ?? this.#bindings.freshParameter());
  }

  /** Returns the common type of expressions; undefined if there are none. */
  #joined(nodes: readonly Expression[]): CelType | undefined {
    let joined: CelType | undefined;
    for (const node of nodes) {
      const type = this.#check(node);
      if (joined === undefined) joined = type;
      else if (this.#bindings.agree(joined, type)) joined = this.#bindings.moreGeneral(joined, type);
      else if (this.#environment.mixedLiterals) joined = types.dyn;
      else joined = this.#issue(node.id, this.#mismatch(joined, type));
    }
    return joined;
  }

  #struct(node: StructExpression): CelType {
    const { container, loopVariable, declared } = this.#scope;
    const found = loopVariable(node.name) ?? resolveDeclared(node.name, container, declared);
    const named = this.#meant(node.id, found);
    for (const { value } of node.fields) this.#check(value);
    if (named === undefined) return this.#undeclared(node.id, node.name);
    const type = named.kind === 'type' ? named.of : undefined;
    if (type?.kind !== 'object') return this.#issue(node.id, `'${node.name}' is not the name of a message`);
    for (const { id, field, value } of node.fields) {
      const expected = type.field(field)?.type ?? this.#issue(id, `undefined field '${field}'`);
      const actual = this.#types.get(value.id) ?? types.error;
      if (!this.#bindings.agree(expected, actual)) this.#issue(id, this.#mismatch(expected, actual));
    }
    return type;
  }

  #loop(node: ComprehensionExpression): CelType {
    const range = this.#bindings.resolve(this.#check(node.range), 'keep');
    const initial = this.#check(node.initial);
    const variable = this.#loopVariableType(node, range);
    this.#locals.push({ name: node.accumulator, type: initial }, { name: node.variable, type: variable });
    this.#expect(node.condition, types.bool);
    this.#expect(node.step, initial);
    this.#locals.pop();
    const result = this.#check(node.result);
    this.#locals.pop();
    return this.#bindings.resolve(result, 'keep');
  }

  /** Returns the type of a loop variable: the element type of a list or the key type of a map. */
  #loopVariableType(node: ComprehensionExpression, range: CelType): CelType {
    switch (range.kind) {
      case 'list':
        return range.element;
      case 'map':
        return range.key;
      case 'parameter':
        this.#bindings.agree(types.dyn, range);
        return types.dyn;
      case 'dyn':
      case 'error':
        return types.dyn;
      default:
        return this.#issue(
          node.range.id,
          `values of type '${this.#shown(range)}' are not lists or maps to loop over`,
        );
    }
  }

  #expect(node: Expression, expected: CelType): void {
    const actual = this.#check(node);
    if (!this.#bindings.agree(expected, actual)) this.#issue(node.id, this.#mismatch(expected, actual));
  }

  #mismatch(expected: CelType, actual: CelType): string {
    return `expected type '${this.#shown(expected)}', found '${this.#shown(actual)}'`;
  }

  #shown(type: CelType): string {
    return formatType(this.#bindings.resolve(type, 'dyn'));
  }

  #issue(id: number, message: string): CelType {
    this.#onIssue(id, message);
    return types.error;
  }
}

function typeOfConstant(value: Constant): CelType {
  if (value === null) return types.null;
  if (value instanceof Uint) return types.uint;
  if (value instanceof Uint8Array) return types.bytes;
  switch (typeof value) {
    case 'boolean':
      return types.bool;
    case 'bigint':
      return types.int;
    case 'number':
      return types.double;
    default:
      return types.string;
  }
}
