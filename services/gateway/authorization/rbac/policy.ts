import type { ApiObject } from '@binnacle/api-objects';
import type { Role } from '@binnacle/api-types/rbac/v1';
import type { User } from '../../request/api-request.ts';
import { type Access, type Decision, noOpinion } from '../authorizer.ts';
import { type PolicyRule, policyRulesFrom, ruleAllows } from '../policy-rule.ts';
import { type Binding, bindingFrom, describeSubject, subjectKeysOf } from './role-binding.ts';

/** The kinds of objects that a policy is made of. */
export type PolicyKind = 'Role' | 'ClusterRole' | 'RoleBinding' | 'ClusterRoleBinding';

/**
 * Roles and bindings, ready to be asked: a binding is found by its subjects, a role by its name, and each is read once
 * for each change.
 */
export class RbacPolicy {
  readonly #canonicalGroup: (group: string) => string;
  readonly #rules = new Map<string, PolicyRule[]>();
  readonly #bindings = new Map<string, Binding>();
  /** Scope ("" or a namespace) and subject to the bindings that name the subject there. */
  readonly #bySubject = new Map<string, Set<Binding>>();

  constructor(canonicalGroup: (group: string) => string) {
    this.#canonicalGroup = canonicalGroup;
  }

  /** Takes an object as it is now. */
  put(kind: PolicyKind, object: ApiObject): void {
    const { namespace = '', name = '' } = object.metadata;
    if (kind === 'Role' || kind === 'ClusterRole') {
      const role: Role = object;
      this.#rules.set(keyOf(kind, namespace, name), policyRulesFrom(role.rules ?? [], this.#canonicalGroup));
      return;
    }
    this.remove(kind, namespace, name);
    const binding = bindingFrom(kind, object);
    this.#bindings.set(keyOf(kind, namespace, name), binding);
    for (const subject of binding.subjects) {
      const key = `${binding.namespace}\n${subject}`;
      const bound = this.#bySubject.get(key) ?? new Set();
      this.#bySubject.set(key, bound.add(binding));
    }
  }

  /** Forgets an object. */
  remove(kind: PolicyKind, namespace: string, name: string): void {
    const key = keyOf(kind, namespace, name);
    this.#rules.delete(key);
    const binding = this.#bindings.get(key);
    if (binding === undefined) return;
    this.#bindings.delete(key);
    for (const subject of binding.subjects) {
      const bound = this.#bySubject.get(`${binding.namespace}\n${subject}`);
      bound?.delete(binding);
      if (bound?.size === 0) this.#bySubject.delete(`${binding.namespace}\n${subject}`);
    }
  }

  /** What the policy says: allowed by the first rule of the first binding that allows it, else nothing. */
  decide(user: User, access: Access): Decision {
    const namespace = access.kind === 'resource' ? access.namespace : '';
    for (const { binding, subject } of this.#bindingsOf(user, namespace)) {
      if (this.#rulesOf(binding).some(rule => ruleAllows(rule, access)))
        return { verdict: 'allowed', reason: reasonOf(binding, subject) };
    }
    return noOpinion;
  }

  /** The rules that a user's bindings give in a namespace, those of the cluster scope first. */
  rulesFor(user: User, namespace: string): PolicyRule[] {
    const found = new Set<PolicyRule>();
    for (const { binding } of this.#bindingsOf(user, namespace)) {
      // A namespaced binding gives nothing on paths, whatever its role says.
      for (const rule of this.#rulesOf(binding))
        if (binding.namespace === '' || rule.nonResourceURLs.length === 0) found.add(rule);
    }
    return [...found];
  }

  /** All rules of the roles that bindings of a namespace and of the cluster scope give a user. */
  boundRules(user: User, namespace: string): PolicyRule[] {
    const bindings = [...this.#bindingsOf(user, namespace)];
    return [...new Set(bindings.flatMap(({ binding }) => this.#rulesOf(binding)))];
  }

  *#bindingsOf(
    user: User,
    namespace: string,
  ): Generator<{ readonly binding: Binding; readonly subject: string }> {
    const subjects = subjectKeysOf(user);
    for (const scope of namespace === '' ? [''] : ['', namespace]) {
      for (const subject of subjects) {
        for (const binding of this.#bySubject.get(`${scope}\n${subject}`) ?? []) yield { binding, subject };
      }
    }
  }

  #rulesOf(binding: Binding): readonly PolicyRule[] {
    const scope = binding.roleKind === 'Role' ? binding.namespace : '';
    return this.#rules.get(keyOf(binding.roleKind, scope, binding.roleName)) ?? [];
  }
}

function keyOf(kind: PolicyKind, namespace: string, name: string): string {
  return `${kind}\n${namespace}\n${name}`;
}

function reasonOf(binding: Binding, subject: string): string {
  const name = binding.namespace === '' ? binding.name : `${binding.name}/${binding.namespace}`;
  return `RBAC: allowed by ${binding.kind} ${JSON.stringify(name)} of ${binding.roleKind} ${JSON.stringify(binding.roleName)} to ${describeSubject(subject)}`;
}
