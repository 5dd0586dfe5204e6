import type { CallContext } from '@binnacle/proto';
import type { StatusError } from '@binnacle/status-errors';
import type { User } from '../request/api-request.ts';

/** One rule of a role, parsed for matching (spec 2 and the RBAC reference). */
export interface PolicyRule {
  readonly verbs: ReadonlySet<string>;
  readonly apiGroups: ReadonlySet<string>;
  readonly resources: ReadonlySet<string>;
  /** Empty: every name. */
  readonly resourceNames: ReadonlySet<string>;
  readonly nonResourceURLs: readonly string[];
}

const every: ReadonlySet<string> = new Set(['*']);

const none: ReadonlySet<string> = new Set();

/** The rules of a user who may do everything. */
export const allRules: readonly PolicyRule[] = [
  { verbs: every, apiGroups: every, resources: every, resourceNames: none, nonResourceURLs: [] },
  { verbs: every, apiGroups: none, resources: none, resourceNames: none, nonResourceURLs: ['*'] },
];

/** The action that a user asks to do. */
export type Access =
  | {
      readonly kind: 'resource';
      readonly verb: string;
      /** The canonical group name. */
      readonly group: string;
      /** For authorizers that pass it on; no rule depends on it. */
      readonly version?: string;
      readonly resource: string;
      readonly subresource: string;
      /** "" for cluster-scoped resources and for all namespaces. */
      readonly namespace: string;
      /** "" when the request is not for a single object. */
      readonly name: string;
    }
  | { readonly kind: 'path'; readonly verb: string; readonly path: string };

/** The decision of an authorizer, and its reason. */
export interface Decision {
  /**
   * `denied` is final: later authorizers are not called. `noOpinion` leaves the decision to them; if none is left, the
   * access is not allowed.
   */
  readonly verdict: 'allowed' | 'denied' | 'noOpinion';
  /** The rule that allows or denies it; may be empty. */
  readonly reason: string;
  /** The error that prevented a decision. An access that is not allowed is then answered with this error, not with a 403. */
  readonly error?: StatusError;
}

/** The rights of a user as far as an authorizer knows them. */
export interface UserRules {
  readonly rules: readonly PolicyRule[];
  /** Whether the user may have rights that are not among the rules. */
  readonly incomplete: boolean;
  /** The reason why rules are missing; "" when none are. */
  readonly evaluationError: string;
}

/** Decides whether a user may do something. Throws ServiceUnavailable while it cannot decide. */
export interface Authorizer {
  /** Decides on one access; returns a promise only when it calls another service. */
  authorize(user: User, access: Access, call: CallContext): Decision | Promise<Decision>;
  /** The rules that let the user do something in a namespace or at the cluster scope, as far as they can be listed. */
  rulesFor(user: User, namespace: string): UserRules;
  /** Every rule of the roles that are bound to the user there: also those on paths, which a namespace's bindings do not give. */
  boundRules(user: User, namespace: string): readonly PolicyRule[];
}

/** The decision of an authorizer that has no opinion. */
export const noOpinion: Decision = { verdict: 'noOpinion', reason: '' };

/** All the rules that a user has. */
export function completeRules(rules: readonly PolicyRule[]): UserRules {
  return { rules, incomplete: false, evaluationError: '' };
}

/** Allows every access (`--authorization-mode=AlwaysAllow`). */
export const alwaysAllow: Authorizer = {
  authorize: () => ({ verdict: 'allowed', reason: '' }),
  rulesFor: () => completeRules(allRules),
  boundRules: () => allRules,
};

/** Allows no access (`--authorization-mode=AlwaysDeny`); as in kube-apiserver, a later authorizer may. */
export const alwaysDeny: Authorizer = {
  authorize: () => ({ verdict: 'noOpinion', reason: 'Everything is forbidden.' }),
  rulesFor: () => completeRules([]),
  boundRules: () => [],
};

/** Whether an authorizer allows an access; throws the error of a decision that failed. */
export function isAllowed(
  authorizer: Pick<Authorizer, 'authorize'>,
  { user, access, call }: { readonly user: User; readonly access: Access; readonly call: CallContext },
): boolean | Promise<boolean> {
  const decision = authorizer.authorize(user, access, call);
  return decision instanceof Promise ? decision.then(isAllowedBy) : isAllowedBy(decision);
}

function isAllowedBy({ verdict, error }: Decision): boolean {
  if (verdict === 'allowed') return true;
  if (error !== undefined) throw error;
  return false;
}
