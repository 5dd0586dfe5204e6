import type { NameTable } from './name-table.ts';

/** API groups, and groups of kinds that are sent, read from files or named in answers. Groups without a domain have one name. */
export const groupTable = {
  /** Policies in files, served by no server. */
  abac: ['abac.authorization.cluster.io', 'abac.authorization.kubernetes.io'],
  /** Reviews sent to admission webhooks. */
  admission: ['admission.cluster.io', 'admission.k8s.io'],
  /** Webhooks and admission policies. */
  admissionregistration: ['admissionregistration.cluster.io', 'admissionregistration.k8s.io'],
  /** Aggregated discovery. */
  apidiscovery: ['apidiscovery.cluster.io', 'apidiscovery.k8s.io'],
  /** Definitions of custom resources, and reviews sent to conversion webhooks. */
  apiextensions: ['apiextensions.cluster.io', 'apiextensions.k8s.io'],
  /** Group versions and the servers behind them. */
  apiregistration: ['apiregistration.cluster.io', 'apiregistration.k8s.io'],
  /** Files of configuration: admission, egress, tracing. */
  apiserver: ['apiserver.cluster.io', 'apiserver.k8s.io'],
  /** Files of configuration: admission, encryption. */
  apiserverConfig: ['apiserver.config.cluster.io', 'apiserver.config.k8s.io'],
  /** Audit events and policies. */
  audit: ['audit.cluster.io', 'audit.k8s.io'],
  /** Reviews of tokens and of the requesting user. */
  authentication: ['authentication.cluster.io', 'authentication.k8s.io'],
  /** Reviews of access. */
  authorization: ['authorization.cluster.io', 'authorization.k8s.io'],
  /** Requests of certificates. */
  certificates: ['certificates.cluster.io', 'certificates.k8s.io'],
  /** The group of the messages between clients and their exec plugins. */
  clientAuthentication: ['client.authentication.cluster.io', 'client.authentication.k8s.io'],
  /** Leases. */
  coordination: ['coordination.cluster.io', 'coordination.k8s.io'],
  /** Metrics of objects, served by other servers. */
  customMetrics: ['custom.metrics.cluster.io', 'custom.metrics.k8s.io'],
  /** EndpointSlices. */
  discovery: ['discovery.cluster.io', 'discovery.k8s.io'],
  /** Files of configuration: rates of events. */
  eventratelimit: ['eventratelimit.admission.cluster.io', 'eventratelimit.admission.k8s.io'],
  /** Events. */
  events: ['events.cluster.io', 'events.k8s.io'],
  /** The example of an added kind, served by no server. */
  example: ['example.cluster.io', 'example.k8s.io'],
  /** Metrics of other systems, served by other servers. */
  externalMetrics: ['external.metrics.cluster.io', 'external.metrics.k8s.io'],
  /** Priority and fairness. */
  flowcontrol: ['flowcontrol.apiserver.cluster.io', 'flowcontrol.apiserver.k8s.io'],
  /** Reviews of images. */
  imagepolicy: ['imagepolicy.cluster.io', 'imagepolicy.k8s.io'],
  /** Metadata, tables and watch events of every group. */
  meta: ['meta.cluster.io', 'meta.k8s.io'],
  /** Measurements of nodes and pods, served by other servers. */
  metrics: ['metrics.cluster.io', 'metrics.k8s.io'],
  /** Ingresses and network policies. */
  networking: ['networking.cluster.io', 'networking.k8s.io'],
  /** Runtime classes. */
  node: ['node.cluster.io', 'node.k8s.io'],
  /** Files of configuration: pod security. */
  podSecurityConfig: ['pod-security.admission.config.cluster.io', 'pod-security.admission.config.k8s.io'],
  /** Files of configuration: tolerations of pods. */
  podtolerationrestriction: [
    'podtolerationrestriction.admission.cluster.io',
    'podtolerationrestriction.admission.k8s.io',
  ],
  /** Roles and bindings. */
  rbac: ['rbac.authorization.cluster.io', 'rbac.authorization.k8s.io'],
  /** Files of configuration: resources that need a quota. */
  resourcequota: ['resourcequota.admission.cluster.io', 'resourcequota.admission.k8s.io'],
  /** Priority classes. */
  scheduling: ['scheduling.cluster.io', 'scheduling.k8s.io'],
  /** Snapshots of volumes, served as custom resources. */
  snapshot: ['snapshot.storage.cluster.io', 'snapshot.storage.k8s.io'],
  /** Storage classes, and volumes on nodes. */
  storage: ['storage.cluster.io', 'storage.k8s.io'],
} as const satisfies NameTable;
