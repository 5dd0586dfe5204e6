import type { User } from '../request/api-request.ts';
import { allRules, type PolicyRule } from './policy-rule.ts';

/** The action that a user asks to do. */
export type Access =
  | {
      readonly kind: 'resource';
      readonly verb: string;
      /** The canonical group name. */
      readonly group: string;
      readonly resource: string;
      readonly subresource: string;
      /** "" for cluster-scoped resources and for all namespaces. */
      readonly namespace: string;
      /** "" when no single object is asked for. */
      readonly name: string;
    }
  | { readonly kind: 'path'; readonly verb: string; readonly path: string };

/** What an authorizer says, with the rule that allowed it. */
export interface Decision {
  readonly allowed: boolean;
  /** Empty when nothing allows it. */
  readonly reason: string;
}

/** Decides who may do what. Throws ServiceUnavailable while it cannot decide. */
export interface Authorizer {
  authorize(user: User, access: Access): Decision;
  /** Every rule that lets the user do something in a namespace or at the cluster scope. */
  rulesFor(user: User, namespace: string): readonly PolicyRule[];
  /** Every rule of the roles that are bound to the user there: also those on paths, which a namespace's bindings do not give. */
  boundRules(user: User, namespace: string): readonly PolicyRule[];
}

/** Allows everything to everybody who got this far (`--authorization-mode=AlwaysAllow`). */
export const alwaysAllow: Authorizer = {
  authorize: () => ({ allowed: true, reason: '' }),
  rulesFor: () => allRules,
  boundRules: () => allRules,
};
