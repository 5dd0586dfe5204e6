import type { Access, PolicyRule } from '../authorizer.ts';
import { ruleAllows } from '../policy-rule.ts';
import type { Binding } from './role-binding.ts';
import { RuleIndex } from './rule-index.ts';

/** Number of rules of a role, or bindings of a subject, up to which a scan is faster than an index. */
const fewRules = 8;
const fewBindings = 16;

/** The rules of a role as they are at one time. */
export class RoleRules {
  readonly rules: readonly PolicyRule[];
  readonly #index: RuleIndex<true> | undefined;

  constructor(rules: readonly PolicyRule[]) {
    this.rules = rules;
    if (rules.length <= fewRules) return;
    this.#index = new RuleIndex();
    this.#index.put(true, rules);
  }

  /** Whether one of the rules allows an access. */
  allows(access: Access): boolean {
    if (this.#index !== undefined) return this.#index.find(access) === true;
    return this.rules.some(rule => ruleAllows(rule, access));
  }
}

/** The bindings of one subject in one namespace or at the cluster scope, with the roles that they give. */
export class SubjectBindings {
  readonly #roles = new Map<Binding, RoleRules>();
  #index: RuleIndex<Binding> | undefined;

  /** Adds or replaces a binding, with the current rules of its role. */
  put(binding: Binding, role: RoleRules): void {
    this.#roles.set(binding, role);
    if (this.#index !== undefined) this.#index.put(binding, role.rules);
    else if (this.#roles.size > fewBindings) this.#index = this.#indexed();
  }

  /** Removes a binding. */
  remove(binding: Binding): void {
    this.#roles.delete(binding);
    this.#index?.remove(binding);
  }

  get isEmpty(): boolean {
    return this.#roles.size === 0;
  }

  /** The bindings. */
  bindings(): Iterable<Binding> {
    return this.#roles.keys();
  }

  /** A binding whose role allows an access. */
  find(access: Access): Binding | undefined {
    if (this.#index !== undefined) return this.#index.find(access);
    for (const [binding, role] of this.#roles) if (role.allows(access)) return binding;
    return undefined;
  }

  #indexed(): RuleIndex<Binding> {
    const index = new RuleIndex<Binding>();
    for (const [binding, role] of this.#roles) index.put(binding, role.rules);
    return index;
  }
}
