import type { AuditLevel } from '../../request/exchange.ts';

/** The levels, from no events to events with both bodies. */
export const auditLevels: readonly AuditLevel[] = ['None', 'Metadata', 'Request', 'RequestResponse'];

/** The stages of a request that have events. */
export const auditStages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;

/** A stage of a request. */
export type AuditStage = (typeof auditStages)[number];

/** Resources of one group; an empty list of resources is all of them. */
export interface GroupResources {
  /** The canonical group name. */
  readonly group: string;
  /** `pods`, `pods/log`, `pods/*`, `*` and `*` followed by a subresource. */
  readonly resources: readonly string[];
  /** Empty: objects of any name. */
  readonly resourceNames: readonly string[];
}

/** One rule of a policy; an empty list matches everything. */
export interface AuditRule {
  readonly level: AuditLevel;
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly resources: readonly GroupResources[];
  /** Namespaces; "" matches requests without a namespace. */
  readonly namespaces: readonly string[];
  /** Paths; a `*` at the end stands for any rest. */
  readonly nonResourceURLs: readonly string[];
  /** Stages that are omitted in addition to those of the policy. */
  readonly omitStages: readonly AuditStage[];
  /** Undefined: the setting of the policy counts. */
  readonly omitManagedFields: boolean | undefined;
}

/** Rules of what is audited, and how much of it: the first one that matches a request decides. */
export interface AuditPolicy {
  readonly rules: readonly AuditRule[];
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean;
}
