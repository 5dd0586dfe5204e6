import type { NameTable } from './name-table.ts';

/**
 * API groups, and groups of kinds that are sent to other servers or read from files. A group without a domain has a single name.
 */
export const groupTable = {
  /** ABAC policy files; not served. */
  abac: ['abac.authorization.cluster.io', 'abac.authorization.kubernetes.io'],
  /** AdmissionReviews sent to webhooks. */
  admission: ['admission.cluster.io', 'admission.k8s.io'],
  /** Webhook configurations and admission policies. */
  admissionregistration: ['admissionregistration.cluster.io', 'admissionregistration.k8s.io'],
  /** Aggregated discovery. */
  apidiscovery: ['apidiscovery.cluster.io', 'apidiscovery.k8s.io'],
  /** CustomResourceDefinitions, and ConversionReviews sent to webhooks. */
  apiextensions: ['apiextensions.cluster.io', 'apiextensions.k8s.io'],
  /** APIServices. */
  apiregistration: ['apiregistration.cluster.io', 'apiregistration.k8s.io'],
  /** Configuration files: admission, egress. */
  apiserver: ['apiserver.cluster.io', 'apiserver.k8s.io'],
  /** Configuration files: admission, encryption, tracing. */
  apiserverConfig: ['apiserver.config.cluster.io', 'apiserver.config.k8s.io'],
  /** Audit events and policies. */
  audit: ['audit.cluster.io', 'audit.k8s.io'],
  /** TokenReviews and SelfSubjectReviews. */
  authentication: ['authentication.cluster.io', 'authentication.k8s.io'],
  /** SubjectAccessReviews and their variants. */
  authorization: ['authorization.cluster.io', 'authorization.k8s.io'],
  /** CertificateSigningRequests. */
  certificates: ['certificates.cluster.io', 'certificates.k8s.io'],
  /** Messages between clients and their exec credential plugins. */
  clientAuthentication: ['client.authentication.cluster.io', 'client.authentication.k8s.io'],
  /** Leases. */
  coordination: ['coordination.cluster.io', 'coordination.k8s.io'],
  /** Custom metrics, served by other servers. */
  customMetrics: ['custom.metrics.cluster.io', 'custom.metrics.k8s.io'],
  /** EndpointSlices. */
  discovery: ['discovery.cluster.io', 'discovery.k8s.io'],
  /** Configuration file of EventRateLimit. */
  eventratelimit: ['eventratelimit.admission.cluster.io', 'eventratelimit.admission.k8s.io'],
  /** Events. */
  events: ['events.cluster.io', 'events.k8s.io'],
  /** The example of a new kind; not served. */
  example: ['example.cluster.io', 'example.k8s.io'],
  /** External metrics, served by other servers. */
  externalMetrics: ['external.metrics.cluster.io', 'external.metrics.k8s.io'],
  /** API priority and fairness. */
  flowcontrol: ['flowcontrol.apiserver.cluster.io', 'flowcontrol.apiserver.k8s.io'],
  /** ImageReviews. */
  imagepolicy: ['imagepolicy.cluster.io', 'imagepolicy.k8s.io'],
  /** Metadata, Tables and watch events of all groups. */
  meta: ['meta.cluster.io', 'meta.k8s.io'],
  /** Resource metrics of nodes and pods, served by other servers. */
  metrics: ['metrics.cluster.io', 'metrics.k8s.io'],
  /** Ingresses and network policies. */
  networking: ['networking.cluster.io', 'networking.k8s.io'],
  /** RuntimeClasses. */
  node: ['node.cluster.io', 'node.k8s.io'],
  /** Configuration file of PodSecurity. */
  podSecurityConfig: ['pod-security.admission.config.cluster.io', 'pod-security.admission.config.k8s.io'],
  /** Configuration file of PodTolerationRestriction. */
  podtolerationrestriction: [
    'podtolerationrestriction.admission.cluster.io',
    'podtolerationrestriction.admission.k8s.io',
  ],
  /** Roles and bindings. */
  rbac: ['rbac.authorization.cluster.io', 'rbac.authorization.k8s.io'],
  /** Configuration file of ResourceQuota: resources that require a quota. */
  resourcequota: ['resourcequota.admission.cluster.io', 'resourcequota.admission.k8s.io'],
  /** PriorityClasses. */
  scheduling: ['scheduling.cluster.io', 'scheduling.k8s.io'],
  /** Volume snapshots, served as custom resources. */
  snapshot: ['snapshot.storage.cluster.io', 'snapshot.storage.k8s.io'],
  /** StorageClasses, CSI drivers and volume attachments. */
  storage: ['storage.cluster.io', 'storage.k8s.io'],
} as const satisfies NameTable;
