import type { ApiObject } from '@binnacle/api-objects';
import type { Role } from '@binnacle/api-types/rbac/v1';
import type { User } from '../../request/api-request.ts';
import { type Access, type Decision, noOpinion, type PolicyRule } from '../authorizer.ts';
import { policyRulesFrom } from '../policy-rule.ts';
import { type Binding, bindingFrom, describeSubject, subjectKeysFromUser } from './role-binding.ts';
import { RoleRules, SubjectBindings } from './subject-bindings.ts';

/** The kinds of objects that a policy is made of. */
export type PolicyKind = 'Role' | 'ClusterRole' | 'RoleBinding' | 'ClusterRoleBinding';

const noRules = new RoleRules([]);

/**
 * Roles and bindings, indexed for decisions: bindings by subject, roles by name, rules by resource or path. Each
 * object is parsed once for each change.
 */
export class RbacPolicy {
  readonly #canonicalGroup: (group: string) => string;
  readonly #roles = new Map<string, RoleRules>();
  readonly #bindings = new Map<string, Binding>();
  /** Bindings by scope ("" or a namespace) and subject. */
  readonly #bySubject = new Map<string, SubjectBindings>();
  readonly #byRole = new Map<string, Set<Binding>>();

  constructor(canonicalGroup: (group: string) => string) {
    this.#canonicalGroup = canonicalGroup;
  }

  /** Adds or replaces an object. */
  put(kind: PolicyKind, object: ApiObject): void {
    const { namespace = '', name = '' } = object.metadata;
    const key = policyKey(kind, namespace, name);
    if (kind === 'Role' || kind === 'ClusterRole') {
      const role: Role = object;
      this.#roles.set(key, new RoleRules(policyRulesFrom(role.rules, this.#canonicalGroup)));
      this.#rebind(key);
      return;
    }
    this.remove(kind, namespace, name);
    const binding = bindingFrom(kind, object);
    this.#bindings.set(key, binding);
    const roleKey = bindingRoleKey(binding);
    this.#byRole.set(roleKey, (this.#byRole.get(roleKey) ?? new Set()).add(binding));
    this.#bind(binding);
  }

  /** Removes an object. */
  remove(kind: PolicyKind, namespace: string, name: string): void {
    const key = policyKey(kind, namespace, name);
    if (kind === 'Role' || kind === 'ClusterRole') {
      this.#roles.delete(key);
      this.#rebind(key);
      return;
    }
    const binding = this.#bindings.get(key);
    if (binding === undefined) return;
    this.#bindings.delete(key);
    const roleKey = bindingRoleKey(binding);
    const bound = this.#byRole.get(roleKey);
    bound?.delete(binding);
    if (bound?.size === 0) this.#byRole.delete(roleKey);
    for (const subject of binding.subjects) {
      const scoped = `${binding.namespace}\n${subject}`;
      const bindings = this.#bySubject.get(scoped);
      bindings?.remove(binding);
      if (bindings?.isEmpty) this.#bySubject.delete(scoped);
    }
  }

  /** The decision of the policy: allowed by a rule of a binding, else none. */
  decide(user: User, access: Access): Decision {
    const namespace = access.kind === 'resource' ? access.namespace : '';
    for (const { bindings, subject } of this.#bindingsOf(user, namespace)) {
      const binding = bindings.find(access);
      if (binding !== undefined) return { verdict: 'allowed', reason: describeReason(binding, subject) };
    }
    return noOpinion;
  }

  /** The rules that a user's bindings give in a namespace, those of the cluster scope first. */
  rulesFor(user: User, namespace: string): PolicyRule[] {
    const found = new Set<PolicyRule>();
    for (const { bindings } of this.#bindingsOf(user, namespace)) {
      for (const binding of bindings.bindings()) {
        // A namespaced binding gives nothing on paths, whatever its role says.
        for (const rule of this.#rulesOf(binding))
          if (binding.namespace === '' || rule.nonResourceURLs.length === 0) found.add(rule);
      }
    }
    return [...found];
  }

  /** All rules of the roles that bindings of a namespace and of the cluster scope give a user. */
  boundRules(user: User, namespace: string): PolicyRule[] {
    const found = new Set<PolicyRule>();
    for (const { bindings } of this.#bindingsOf(user, namespace))
      for (const binding of bindings.bindings()) for (const rule of this.#rulesOf(binding)) found.add(rule);
    return [...found];
  }

  /** Updates the bindings of a role with its current rules. */
  #rebind(roleKey: string): void {
    for (const binding of this.#byRole.get(roleKey) ?? []) this.#bind(binding);
  }

  #bind(binding: Binding): void {
    const role = this.#roles.get(bindingRoleKey(binding)) ?? noRules;
    for (const subject of binding.subjects) {
      const key = `${binding.namespace}\n${subject}`;
      const bindings = this.#bySubject.get(key) ?? new SubjectBindings();
      this.#bySubject.set(key, bindings);
      bindings.put(binding, role);
    }
  }

  *#bindingsOf(
    user: User,
    namespace: string,
  ): Generator<{ readonly bindings: SubjectBindings; readonly subject: string }> {
    const subjects = subjectKeysFromUser(user);
    for (const scope of namespace === '' ? [''] : ['', namespace]) {
      for (const subject of subjects) {
        const bindings = this.#bySubject.get(`${scope}\n${subject}`);
        if (bindings !== undefined) yield { bindings, subject };
      }
    }
  }

  #rulesOf(binding: Binding): readonly PolicyRule[] {
    return this.#roles.get(bindingRoleKey(binding))?.rules ?? [];
  }
}

function bindingRoleKey({ roleKind, roleName, namespace }: Binding): string {
  return policyKey(roleKind, roleKind === 'Role' ? namespace : '', roleName);
}

function policyKey(kind: PolicyKind, namespace: string, name: string): string {
  return `${kind}\n${namespace}\n${name}`;
}

function describeReason(binding: Binding, subject: string): string {
  const name = binding.namespace === '' ? binding.name : `${binding.name}/${binding.namespace}`;
  return `RBAC: allowed by ${binding.kind} ${JSON.stringify(name)} of ${binding.roleKind} ${JSON.stringify(binding.roleName)} to ${describeSubject(subject)}`;
}
