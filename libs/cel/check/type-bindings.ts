import { sameType } from '../types/same-type.ts';
import type { CelType } from '../types/type.ts';

/** Error for types that cannot be determined in a bounded number of steps: their size may double with each part. */
export class TypesTooComplex extends Error {}

/** Maximum number of type parts examined for one expression. */
const maximumSteps = 1_000_000;

type Parameter = Extract<CelType, { kind: 'parameter' }>;

/**
 * The bindings of type parameters, determined while an expression is checked. A parameter is bound when it must agree with a
 * type, and generalized if a later type requires it; a failed attempt binds nothing.
 */
export class TypeBindings {
  readonly #bound = new Map<string, CelType>();
  /** Bindings to restore when an attempt fails. */
  readonly #undo: (readonly [string, CelType | undefined])[] = [];
  #fresh = 0;
  #steps = 0;

  /** Creates a new type parameter. */
  freshParameter(): CelType {
    return { kind: 'parameter', name: `_var${this.#fresh++}` };
  }

  /** Whether two lists of types agree pairwise; if so, binds parameters, those of the second list first. */
  agreeAll(some: readonly CelType[], others: readonly CelType[]): boolean {
    if (some.length !== others.length) return false;
    const agree = some.every((type, index) => {
      const other = others[index];
      return other !== undefined && this.#fits(type, other);
    });
    while (!agree && this.#undo.length > 0) this.#takeBack();
    this.#undo.length = 0;
    return agree;
  }

  /** Whether two types agree; if so, binds parameters, those of the second type first. */
  agree(one: CelType, other: CelType): boolean {
    return this.agreeAll([one], [other]);
  }

  /** Replaces the parameters of a type by their bindings; returns the type itself if it has none. */
  resolve(type: CelType, unbound: 'keep' | 'dyn'): CelType {
    this.#step();
    switch (type.kind) {
      case 'parameter': {
        const bound = this.#bound.get(type.name);
        if (bound !== undefined) return this.resolve(bound, unbound);
        return unbound === 'dyn' ? { kind: 'dyn' } : type;
      }
      case 'list': {
        const element = this.resolve(type.element, unbound);
        return element === type.element ? type : { ...type, element };
      }
      case 'map': {
        const key = this.resolve(type.key, unbound);
        const value = this.resolve(type.value, unbound);
        return key === type.key && value === type.value ? type : { ...type, key, value };
      }
      case 'opaque':
        if (type.parameters.length === 0) return type;
        return { ...type, parameters: type.parameters.map(parameter => this.resolve(parameter, unbound)) };
      case 'type':
        return type.of === undefined ? type : { ...type, of: this.resolve(type.of, unbound) };
      default:
        return type;
    }
  }

  /** Returns the more general of two types that agree; the first if they are equally general. */
  moreGeneral(one: CelType, other: CelType): CelType {
    return this.#isAsGeneral(one, other) ? one : other;
  }

  #fits(one: CelType, other: CelType): boolean {
    this.#step();
    if (other.kind === 'parameter') {
      const outcome = this.#substitute(one, other);
      if (outcome !== 'free') return outcome === 'fits';
    }
    if (one.kind === 'parameter') return this.#substitute(other, one) === 'fits';
    if (isWild(one) || isWild(other)) return true;
    if (isNull(one)) return canBeNull(other);
    if (isNull(other)) return canBeNull(one);
    return this.#partsFit(one, other);
  }

  #partsFit(one: CelType, other: CelType): boolean {
    switch (one.kind) {
      case 'list':
        return other.kind === 'list' && this.#fits(one.element, other.element);
      case 'map':
        return other.kind === 'map' && this.#fits(one.key, other.key) && this.#fits(one.value, other.value);
      case 'opaque':
        return (
          other.kind === 'opaque' &&
          other.name === one.name &&
          other.parameters.length === one.parameters.length &&
          one.parameters.every((type, index) => {
            const parameter = other.parameters[index];
            return parameter !== undefined && this.#fits(type, parameter);
          })
        );
      case 'type':
        return other.kind === 'type';
      default:
        return sameType(one, other);
    }
  }

  /** `free`: the parameter is unbound and cannot be bound to the type. */
  #substitute(type: CelType, parameter: Parameter): 'fits' | 'misfits' | 'free' {
    if (sameType(type, parameter)) return 'fits';
    const bound = this.#bound.get(parameter.name);
    if (bound === undefined) {
      if (this.#occurs(parameter, type)) return 'free';
      this.#bind(parameter.name, type);
      return 'fits';
    }
    if (!this.#fits(type, bound)) return 'misfits';
    const general = this.moreGeneral(type, bound);
    if (general !== bound && !this.#occurs(parameter, general)) this.#bind(parameter.name, general);
    return 'fits';
  }

  /** Whether a parameter occurs in a type and therefore cannot be bound to it. */
  #occurs(parameter: Parameter, type: CelType): boolean {
    this.#step();
    switch (type.kind) {
      case 'parameter': {
        if (type.name === parameter.name) return true;
        const bound = this.#bound.get(type.name);
        return bound !== undefined && this.#occurs(parameter, bound);
      }
      case 'list':
        return this.#occurs(parameter, type.element);
      case 'map':
        return this.#occurs(parameter, type.key) || this.#occurs(parameter, type.value);
      case 'opaque':
        return type.parameters.some(part => this.#occurs(parameter, part));
      case 'type':
        return type.of !== undefined && this.#occurs(parameter, type.of);
      default:
        return false;
    }
  }

  #isAsGeneral(one: CelType, other: CelType): boolean {
    this.#step();
    if (one.kind === 'dyn' || one.kind === 'parameter') return true;
    if (other.kind === 'dyn' || other.kind === 'parameter') return false;
    switch (one.kind) {
      case 'list':
        return other.kind === 'list' && this.#isAsGeneral(one.element, other.element);
      case 'map':
        return (
          other.kind === 'map' &&
          this.#isAsGeneral(one.key, other.key) &&
          this.#isAsGeneral(one.value, other.value)
        );
      case 'opaque':
        return (
          other.kind === 'opaque' &&
          one.name === other.name &&
          one.parameters.every((type, index) => this.#isAsGeneral(type, other.parameters[index] ?? type))
        );
      case 'type':
        return other.kind === 'type';
      default:
        return sameType(one, other);
    }
  }

  #step(): void {
    if (++this.#steps > maximumSteps) throw new TypesTooComplex('types are too complex');
  }

  #bind(name: string, type: CelType): void {
    this.#undo.push([name, this.#bound.get(name)]);
    this.#bound.set(name, type);
  }

  #takeBack(): void {
    const [name, before] = this.#undo.pop() ?? [];
    if (name === undefined) return;
    if (before === undefined) this.#bound.delete(name);
    else this.#bound.set(name, before);
  }
}

function isWild({ kind }: CelType): boolean {
  return kind === 'dyn' || kind === 'error';
}

function isNull(type: CelType): boolean {
  return type.kind === 'primitive' && type.name === 'null_type';
}

function canBeNull(type: CelType): boolean {
  if (type.kind !== 'primitive') return type.kind === 'object' || type.kind === 'opaque';
  return type.name === 'null_type' || type.name.startsWith('google.protobuf.');
}
