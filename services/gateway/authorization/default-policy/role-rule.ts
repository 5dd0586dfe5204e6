import { groups } from '@binnacle/api-names';

/** One rule of a default role, in the fields of the API. */
export interface RoleRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** A default ClusterRole, or a default Role of one namespace. */
export interface DefaultRole {
  readonly name: string;
  /** Undefined for a ClusterRole. */
  readonly namespace?: string;
  readonly rules: readonly RoleRule[];
  /** Further rules, each on a resource type that a server may serve or not. */
  readonly whenServed?: readonly { readonly version: string; readonly rule: RoleRule }[];
  readonly labels?: Readonly<Record<string, string>>;
  /** Labels of the roles whose rules this one gathers; `rules` are then what it begins with, in the order of gathering. */
  readonly aggregates?: readonly string[];
}

/** A subject of a default binding; a namespace makes it a service account. */
export interface RoleSubject {
  readonly kind: 'User' | 'Group' | 'ServiceAccount';
  readonly name: string;
  readonly namespace?: string;
}

/** A default ClusterRoleBinding, or a default RoleBinding to a Role of the same namespace. */
export interface DefaultBinding {
  readonly name: string;
  /** Undefined for a ClusterRoleBinding. */
  readonly namespace?: string;
  readonly role: string;
  readonly subjects: readonly RoleSubject[];
}

export const read = 'get list watch';
export const write = 'create delete deletecollection patch update';

/** A rule on resources; texts hold resources and verbs with spaces between them. Its lists are in alphabetical order. */
export function on(
  group: string | readonly string[],
  resources: string | readonly string[],
  verbs: string,
  resourceNames?: readonly string[],
): RoleRule {
  return {
    verbs: verbs.split(' ').sort(),
    apiGroups: [group].flat().sort(),
    resources: [resources]
      .flat()
      .flatMap(text => text.split(' '))
      .sort(),
    ...(resourceNames && { resourceNames: resourceNames.toSorted() }),
  };
}

/** A rule that lets paths be read. */
export function paths(...nonResourceURLs: string[]): RoleRule {
  return { verbs: ['get'], nonResourceURLs };
}

/** The rule for controllers that record events. */
export const recordEvents: RoleRule = on(['', groups.events], 'events', 'create patch update');

export function user(name: string): RoleSubject {
  return { kind: 'User', name };
}

export function group(name: string): RoleSubject {
  return { kind: 'Group', name };
}
