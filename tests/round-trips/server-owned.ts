/** Paths, without list positions, whose values the server decides on, whatever a client sends. */
export const serverOwned: Readonly<Record<string, readonly string[]>> = {
  '*': [
    'status',
    // Another name of serviceAccountName.
    '*spec.serviceAccount',
    // They are for containers, where their gate is on.
    '*volumeClaimTemplate.spec.resources.claims',
    // A source of another kind than volumes and snapshots is dropped.
    '*volumeClaimTemplate.spec.dataSource',
    '*volumeClaimTemplate.spec.dataSourceRef',
  ],
  CertificateSigningRequest: ['spec.username', 'spec.uid', 'spec.groups', 'spec.extra'],
  // Only a version that is no longer served writes it.
  EndpointSlice: ['endpoints.deprecatedTopology'],
  // No node reports it any more.
  Node: ['status.config', 'spec.configSource'],
  // A source of another kind than volumes and snapshots is dropped, and claims are for containers.
  PersistentVolumeClaim: ['spec.dataSource', 'spec.dataSourceRef', 'spec.resources.claims'],
  StatefulSet: [
    'spec.volumeClaimTemplates.spec.dataSource',
    'spec.volumeClaimTemplates.spec.dataSourceRef',
    'spec.volumeClaimTemplates.spec.resources.claims',
  ],
  Service: [
    'spec.clusterIP',
    'spec.clusterIPs',
    'spec.healthCheckNodePort',
    'spec.ports.nodePort',
    // Goes where there is no affinity.
    'spec.sessionAffinityConfig',
  ],
  // Of a reference to a secret the name counts.
  ServiceAccount: [
    'secrets.kind',
    'secrets.namespace',
    'secrets.uid',
    'secrets.apiVersion',
    'secrets.resourceVersion',
    'secrets.fieldPath',
  ],
};

/** Paths, without list positions, that an update leaves as they are, without a refusal. */
export const keptOnUpdate: Readonly<Record<string, readonly string[]>> = {
  CertificateSigningRequest: ['spec'],
  // Goes with a change of the type.
  Service: ['spec.internalTrafficPolicy'],
};

/** Paths, without list positions, that keep the value of the base object: what is unique, or must exist. */
export const fixed: Readonly<Record<string, readonly string[]>> = {
  '*': ['status'],
  // A refusal names these fields as the core group does.
  Event: [
    'deprecatedFirstTimestamp',
    'deprecatedLastTimestamp',
    'deprecatedCount',
    'deprecatedSource',
    'eventTime',
    'firstTimestamp',
    'lastTimestamp',
  ],
  // A refusal names what it becomes.
  Secret: ['stringData'],
};

/** The paths of a table that hold for a kind. */
export function listPaths(
  table: Readonly<Record<string, readonly string[]>>,
  kind: string,
): ReadonlySet<string> {
  return new Set([...(table['*'] ?? []), ...(table[kind] ?? [])]);
}
