import type { NameTable } from './name-table.ts';

/** Labels, and the beginnings of such as have a part of their own behind. */
export const labelTable = {
  aggregateTo: ['rbac.authorization.cluster.io/aggregate-to-', 'rbac.authorization.k8s.io/aggregate-to-'],
  arch: ['cluster.io/arch', 'kubernetes.io/arch'],
  automanaged: ['cluster-aggregator.cluster.io/automanaged', 'kube-aggregator.kubernetes.io/automanaged'],
  betaArch: ['beta.cluster.io/arch', 'beta.kubernetes.io/arch'],
  betaInstanceType: ['beta.cluster.io/instance-type', 'beta.kubernetes.io/instance-type'],
  betaOs: ['beta.cluster.io/os', 'beta.kubernetes.io/os'],
  betaRegion: ['failure-domain.beta.cluster.io/region', 'failure-domain.beta.kubernetes.io/region'],
  betaZone: ['failure-domain.beta.cluster.io/zone', 'failure-domain.beta.kubernetes.io/zone'],
  bootstrapping: ['cluster.io/bootstrapping', 'kubernetes.io/bootstrapping'],
  component: ['cluster.io/component', 'k8s.io/component'],
  headlessService: ['service.cluster.io/headless', 'service.kubernetes.io/headless'],
  hostname: ['cluster.io/hostname', 'kubernetes.io/hostname'],
  instanceType: ['node.cluster.io/instance-type', 'node.kubernetes.io/instance-type'],
  metadataName: ['cluster.io/metadata.name', 'kubernetes.io/metadata.name'],
  nodeRestriction: ['node-restriction.cluster.io', 'node-restriction.kubernetes.io'],
  nodeRole: ['node-role.cluster.io/', 'node-role.kubernetes.io/'],
  os: ['cluster.io/os', 'kubernetes.io/os'],
  podSecurity: ['pod-security.cluster.io/', 'pod-security.kubernetes.io/'],
  rbacDomain: ['rbac.authorization.cluster.io/', 'rbac.authorization.k8s.io/'],
  region: ['topology.cluster.io/region', 'topology.kubernetes.io/region'],
  role: ['cluster.io/role', 'kubernetes.io/role'],
  serviceName: ['cluster.io/service-name', 'kubernetes.io/service-name'],
  sliceManagedBy: ['endpointslice.cluster.io/managed-by', 'endpointslice.kubernetes.io/managed-by'],
  sliceSkipMirror: ['endpointslice.cluster.io/skip-mirror', 'endpointslice.kubernetes.io/skip-mirror'],
  windowsBuild: ['node.cluster.io/windows-build', 'node.kubernetes.io/windows-build'],
  zone: ['topology.cluster.io/zone', 'topology.kubernetes.io/zone'],
} as const satisfies NameTable;

/** Annotations of objects, and the beginnings of such as have a part of their own behind. */
export const annotationTable = {
  apiApproved: ['api-approved.cluster.io', 'api-approved.kubernetes.io'],
  apfAutoupdate: ['apf.cluster.io/autoupdate-spec', 'apf.kubernetes.io/autoupdate-spec'],
  appArmor: [
    'container.apparmor.security.beta.cluster.io/',
    'container.apparmor.security.beta.kubernetes.io/',
  ],
  autoscalerBehavior: ['autoscaling.alpha.cluster.io/behavior', 'autoscaling.alpha.kubernetes.io/behavior'],
  autoscalerConditions: [
    'autoscaling.alpha.cluster.io/conditions',
    'autoscaling.alpha.kubernetes.io/conditions',
  ],
  autoscalerCurrentMetrics: [
    'autoscaling.alpha.cluster.io/current-metrics',
    'autoscaling.alpha.kubernetes.io/current-metrics',
  ],
  autoscalerMetrics: ['autoscaling.alpha.cluster.io/metrics', 'autoscaling.alpha.kubernetes.io/metrics'],
  /** What an autoscaler of version 2 was before it went through version 1; of no name in release 1.26. */
  autoscalerExact: ['autoscaling.alpha.cluster.io/v2-metrics', 'autoscaling.alpha.kubernetes.io/v2-metrics'],
  configMirror: ['cluster.io/config.mirror', 'kubernetes.io/config.mirror'],
  criticalPod: ['scheduler.alpha.cluster.io/critical-pod', 'scheduler.alpha.kubernetes.io/critical-pod'],
  defaultTolerations: [
    'scheduler.alpha.cluster.io/defaultTolerations',
    'scheduler.alpha.kubernetes.io/defaultTolerations',
  ],
  defaultIngressClass: [
    'ingressclass.cluster.io/is-default-class',
    'ingressclass.kubernetes.io/is-default-class',
  ],
  defaultStorageClass: [
    'storageclass.cluster.io/is-default-class',
    'storageclass.kubernetes.io/is-default-class',
  ],
  defaultStorageClassBeta: [
    'storageclass.beta.cluster.io/is-default-class',
    'storageclass.beta.kubernetes.io/is-default-class',
  ],
  description: ['cluster.io/description', 'kubernetes.io/description'],
  endpointsOverCapacity: ['endpoints.cluster.io/over-capacity', 'endpoints.kubernetes.io/over-capacity'],
  enforceMountableSecrets: [
    'cluster.io/enforce-mountable-secrets',
    'kubernetes.io/enforce-mountable-secrets',
  ],
  imagePolicyFailedOpen: [
    'alpha.image-policy.cluster.io/failed-open',
    'alpha.image-policy.k8s.io/failed-open',
  ],
  /** In the middle of the keys of annotations that an image policy is told. */
  imagePolicyMark: ['.image-policy.cluster.io/', '.image-policy.k8s.io/'],
  ingressClass: ['cluster.io/ingress.class', 'kubernetes.io/ingress.class'],
  initialEventsEnd: ['cluster.io/initial-events-end', 'k8s.io/initial-events-end'],
  jobTracking: ['batch.cluster.io/job-tracking', 'batch.kubernetes.io/job-tracking'],
  lastApplied: [
    'kubectl.cluster.io/last-applied-configuration',
    'kubectl.kubernetes.io/last-applied-configuration',
  ],
  limitRanger: ['cluster.io/limit-ranger', 'kubernetes.io/limit-ranger'],
  mountOptions: ['volume.beta.cluster.io/mount-options', 'volume.beta.kubernetes.io/mount-options'],
  namespaceNodeSelector: [
    'scheduler.alpha.cluster.io/node-selector',
    'scheduler.alpha.kubernetes.io/node-selector',
  ],
  nodeTaintsAlpha: ['scheduler.alpha.cluster.io/taints', 'scheduler.alpha.kubernetes.io/taints'],
  podDeletionCost: ['controller.cluster.io/pod-deletion-cost', 'controller.kubernetes.io/pod-deletion-cost'],
  preferAvoidPods: [
    'scheduler.alpha.cluster.io/preferAvoidPods',
    'scheduler.alpha.kubernetes.io/preferAvoidPods',
  ],
  rbacAutoupdate: ['rbac.authorization.cluster.io/autoupdate', 'rbac.authorization.kubernetes.io/autoupdate'],
  seccompContainer: [
    'container.seccomp.security.alpha.cluster.io/',
    'container.seccomp.security.alpha.kubernetes.io/',
  ],
  seccompPod: ['seccomp.security.alpha.cluster.io/pod', 'seccomp.security.alpha.kubernetes.io/pod'],
  serviceAccountName: ['cluster.io/service-account.name', 'kubernetes.io/service-account.name'],
  serviceAccountUid: ['cluster.io/service-account.uid', 'kubernetes.io/service-account.uid'],
  serviceSourceRanges: [
    'service.beta.cluster.io/load-balancer-source-ranges',
    'service.beta.kubernetes.io/load-balancer-source-ranges',
  ],
  storageClassBeta: ['volume.beta.cluster.io/storage-class', 'volume.beta.kubernetes.io/storage-class'],
  sysctlsAlpha: ['security.alpha.cluster.io/sysctls', 'security.alpha.kubernetes.io/sysctls'],
  tolerationsAlpha: ['scheduler.alpha.cluster.io/tolerations', 'scheduler.alpha.kubernetes.io/tolerations'],
  tolerationsWhitelist: [
    'scheduler.alpha.cluster.io/tolerationsWhitelist',
    'scheduler.alpha.kubernetes.io/tolerationsWhitelist',
  ],
  unsafeSysctlsAlpha: [
    'security.alpha.cluster.io/unsafe-sysctls',
    'security.alpha.kubernetes.io/unsafe-sysctls',
  ],
} as const satisfies NameTable;

/** Keys of annotations of audit events, and the beginnings of such as have a part of their own behind. */
export const auditTable = {
  decision: ['authorization.cluster.io/decision', 'authorization.k8s.io/decision'],
  deprecated: ['cluster.io/deprecated', 'k8s.io/deprecated'],
  failedOpenMutating: [
    'failed-open.mutation.webhook.admission.cluster.io/',
    'failed-open.mutation.webhook.admission.k8s.io/',
  ],
  failedOpenValidating: [
    'failed-open.validating.webhook.admission.cluster.io/',
    'failed-open.validating.webhook.admission.k8s.io/',
  ],
  imagePolicy: ['imagepolicywebhook.image-policy.cluster.io/', 'imagepolicywebhook.image-policy.k8s.io/'],
  legacyToken: ['authentication.cluster.io/legacy-token', 'authentication.k8s.io/legacy-token'],
  mutation: ['mutation.webhook.admission.cluster.io/', 'mutation.webhook.admission.k8s.io/'],
  patch: ['patch.webhook.admission.cluster.io/', 'patch.webhook.admission.k8s.io/'],
  podSecurity: ['pod-security.cluster.io/', 'pod-security.kubernetes.io/'],
  reason: ['authorization.cluster.io/reason', 'authorization.k8s.io/reason'],
  removedRelease: ['cluster.io/removed-release', 'k8s.io/removed-release'],
  staleToken: ['authentication.cluster.io/stale-token', 'authentication.k8s.io/stale-token'],
  truncated: ['audit.cluster.io/truncated', 'audit.k8s.io/truncated'],
  validationFailed: [
    'validation.policy.admission.cluster.io/validation_failure',
    'validation.policy.admission.k8s.io/validation_failure',
  ],
} as const satisfies NameTable;

/** Finalizers that the server sets, and the one in the specification of namespaces. */
export const finalizerTable = {
  customResources: [
    'customresourcecleanup.apiextensions.cluster.io',
    'customresourcecleanup.apiextensions.k8s.io',
  ],
  namespace: ['cluster', 'kubernetes'],
  persistentVolume: ['cluster.io/pv-protection', 'kubernetes.io/pv-protection'],
  persistentVolumeClaim: ['cluster.io/pvc-protection', 'kubernetes.io/pvc-protection'],
} as const satisfies NameTable;

/** Taints of nodes, and what pods tolerate. */
export const taintTable = {
  diskPressure: ['node.cluster.io/disk-pressure', 'node.kubernetes.io/disk-pressure'],
  memoryPressure: ['node.cluster.io/memory-pressure', 'node.kubernetes.io/memory-pressure'],
  notReady: ['node.cluster.io/not-ready', 'node.kubernetes.io/not-ready'],
  unreachable: ['node.cluster.io/unreachable', 'node.kubernetes.io/unreachable'],
} as const satisfies NameTable;
