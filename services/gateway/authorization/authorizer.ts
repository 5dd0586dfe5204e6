import type { CallContext } from '@binnacle/proto';
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

/** What an authorizer says, and why. */
export interface Decision {
  /**
   * `denied` is the last word: authorizers that come later are not asked. `noOpinion` leaves the decision to them; where there is
   * none left, the access is not allowed.
   */
  readonly verdict: 'allowed' | 'denied' | 'noOpinion';
  /** What allows or denies it; may be empty. */
  readonly reason: string;
}

/** Decides who may do what. Throws ServiceUnavailable while it cannot decide. */
export interface Authorizer {
  authorize(user: User, access: Access, call: CallContext): Promise<Decision>;
  /** Every rule that lets the user do something in a namespace or at the cluster scope. */
  rulesFor(user: User, namespace: string): readonly PolicyRule[];
  /** Every rule of the roles that are bound to the user there: also those on paths, which a namespace's bindings do not give. */
  boundRules(user: User, namespace: string): readonly PolicyRule[];
}

/** Allows everything to everybody who got this far (`--authorization-mode=AlwaysAllow`). */
export const alwaysAllow: Authorizer = {
  authorize: async () => ({ verdict: 'allowed', reason: '' }),
  rulesFor: () => allRules,
  boundRules: () => allRules,
};

/** Whether an authorizer allows an access. */
export async function isAllowed(
  authorizer: Pick<Authorizer, 'authorize'>,
  { user, access, call }: { readonly user: User; readonly access: Access; readonly call: CallContext },
): Promise<boolean> {
  const { verdict } = await authorizer.authorize(user, access, call);
  return verdict === 'allowed';
}
