import type { AuditLevel } from '../../request/exchange.ts';

/** How much of a request its events say, from nothing to both bodies. */
export const auditLevels: readonly AuditLevel[] = ['None', 'Metadata', 'Request', 'RequestResponse'];

/** The moments of a request that events tell of. */
export const auditStages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;

/** A moment of a request. */
export type AuditStage = (typeof auditStages)[number];

/** Resources of one group; an empty list of resources is all of them. */
export interface GroupResources {
  /** The canonical name. */
  readonly group: string;
  /** `pods`, `pods/log`, `pods/*`, `*` and `*` followed by a subresource. */
  readonly resources: readonly string[];
  /** Empty: objects of any name. */
  readonly resourceNames: readonly string[];
}

/** One rule of a policy; a list that is empty leaves the matter open. */
export interface AuditRule {
  readonly level: AuditLevel;
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly resources: readonly GroupResources[];
  /** "" is what belongs to no namespace. */
  readonly namespaces: readonly string[];
  /** Paths; a `*` at the end stands for any rest. */
  readonly nonResourceURLs: readonly string[];
  /** Added to those of the policy. */
  readonly omitStages: readonly AuditStage[];
  /** Undefined: as the policy says. */
  readonly omitManagedFields: boolean | undefined;
}

/** What is audited, and how much of it: the first rule that matches a request decides. */
export interface AuditPolicy {
  readonly rules: readonly AuditRule[];
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean;
}
