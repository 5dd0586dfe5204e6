import type { NameTable } from './name-table.ts';

/** Labels, and prefixes of labels whose last part varies. */
export const labelTable = {
  /** The aggregated role that receives the rules of a role. */
  aggregateTo: ['rbac.authorization.cluster.io/aggregate-to-', 'rbac.authorization.k8s.io/aggregate-to-'],
  /** The processor architecture of a node. */
  arch: ['cluster.io/arch', 'kubernetes.io/arch'],
  /** APIServices managed by the server. */
  automanaged: ['cluster-aggregator.cluster.io/automanaged', 'kube-aggregator.kubernetes.io/automanaged'],
  /** The processor architecture of a node, beta label. */
  betaArch: ['beta.cluster.io/arch', 'beta.kubernetes.io/arch'],
  /** The machine type of a node, beta label. */
  betaInstanceType: ['beta.cluster.io/instance-type', 'beta.kubernetes.io/instance-type'],
  /** The operating system of a node, beta label. */
  betaOs: ['beta.cluster.io/os', 'beta.kubernetes.io/os'],
  /** The region of a node or volume, beta label. */
  betaRegion: ['failure-domain.beta.cluster.io/region', 'failure-domain.beta.kubernetes.io/region'],
  /** The zone of a node or volume, beta label. */
  betaZone: ['failure-domain.beta.cluster.io/zone', 'failure-domain.beta.kubernetes.io/zone'],
  /** Default roles and bindings; the value names their policy. */
  bootstrapping: ['cluster.io/bootstrapping', 'kubernetes.io/bootstrapping'],
  /** The component whose identity a lease represents. */
  component: ['cluster.io/component', 'k8s.io/component'],
  /** Endpoints of a headless Service. */
  headlessService: ['service.cluster.io/headless', 'service.kubernetes.io/headless'],
  /** The host name of a node. */
  hostname: ['cluster.io/hostname', 'kubernetes.io/hostname'],
  /** The machine type of a node. */
  instanceType: ['node.cluster.io/instance-type', 'node.kubernetes.io/instance-type'],
  /** The name of a namespace. */
  metadataName: ['cluster.io/metadata.name', 'kubernetes.io/metadata.name'],
  /** The domain of labels that nodes may not set on themselves. */
  nodeRestriction: ['node-restriction.cluster.io', 'node-restriction.kubernetes.io'],
  /** The roles of a node. */
  nodeRole: ['node-role.cluster.io/', 'node-role.kubernetes.io/'],
  /** The operating system of a node. */
  os: ['cluster.io/os', 'kubernetes.io/os'],
  /** Pod security levels and versions of a namespace. */
  podSecurity: ['pod-security.cluster.io/', 'pod-security.kubernetes.io/'],
  /** The domain of RBAC labels. */
  rbacDomain: ['rbac.authorization.cluster.io/', 'rbac.authorization.k8s.io/'],
  /** The region of a node or volume. */
  region: ['topology.cluster.io/region', 'topology.kubernetes.io/region'],
  /** The role of a node, in a single label. */
  role: ['cluster.io/role', 'kubernetes.io/role'],
  /** The Service of an EndpointSlice. */
  serviceName: ['cluster.io/service-name', 'kubernetes.io/service-name'],
  /** The controller that manages an EndpointSlice. */
  sliceManagedBy: ['endpointslice.cluster.io/managed-by', 'endpointslice.kubernetes.io/managed-by'],
  /** Endpoints that are not mirrored into EndpointSlices. */
  sliceSkipMirror: ['endpointslice.cluster.io/skip-mirror', 'endpointslice.kubernetes.io/skip-mirror'],
  /** The Windows build of a node. */
  windowsBuild: ['node.cluster.io/windows-build', 'node.kubernetes.io/windows-build'],
  /** The zone of a node or volume. */
  zone: ['topology.cluster.io/zone', 'topology.kubernetes.io/zone'],
} as const satisfies NameTable;

/** Annotations of objects, and prefixes of annotations whose last part varies. */
export const annotationTable = {
  /** The approval of a custom resource definition in a protected group. */
  apiApproved: ['api-approved.cluster.io', 'api-approved.kubernetes.io'],
  /** Whether the server restores the spec of a suggested flow control object. */
  apfAutoupdate: ['apf.cluster.io/autoupdate-spec', 'apf.kubernetes.io/autoupdate-spec'],
  /** The AppArmor profile of a container. */
  appArmor: [
    'container.apparmor.security.beta.cluster.io/',
    'container.apparmor.security.beta.kubernetes.io/',
  ],
  /** The behavior of an autoscaler, in version 1. */
  autoscalerBehavior: ['autoscaling.alpha.cluster.io/behavior', 'autoscaling.alpha.kubernetes.io/behavior'],
  /** The conditions of an autoscaler, in version 1. */
  autoscalerConditions: [
    'autoscaling.alpha.cluster.io/conditions',
    'autoscaling.alpha.kubernetes.io/conditions',
  ],
  /** The current metrics of an autoscaler, in version 1. */
  autoscalerCurrentMetrics: [
    'autoscaling.alpha.cluster.io/current-metrics',
    'autoscaling.alpha.kubernetes.io/current-metrics',
  ],
  /** The metrics of an autoscaler, in version 1. */
  autoscalerMetrics: ['autoscaling.alpha.cluster.io/metrics', 'autoscaling.alpha.kubernetes.io/metrics'],
  /** Fields of a version 2 autoscaler that version 1 lacks; not a name of release 1.26. */
  autoscalerExact: ['autoscaling.alpha.cluster.io/v2-metrics', 'autoscaling.alpha.kubernetes.io/v2-metrics'],
  /** A static pod, which a node runs from a file. */
  configMirror: ['cluster.io/config.mirror', 'kubernetes.io/config.mirror'],
  /** A critical pod, before pods had priorities. */
  criticalPod: ['scheduler.alpha.cluster.io/critical-pod', 'scheduler.alpha.kubernetes.io/critical-pod'],
  /** Default tolerations of the pods of a namespace. */
  defaultTolerations: [
    'scheduler.alpha.cluster.io/defaultTolerations',
    'scheduler.alpha.kubernetes.io/defaultTolerations',
  ],
  /** The default IngressClass. */
  defaultIngressClass: [
    'ingressclass.cluster.io/is-default-class',
    'ingressclass.kubernetes.io/is-default-class',
  ],
  /** The default StorageClass. */
  defaultStorageClass: [
    'storageclass.cluster.io/is-default-class',
    'storageclass.kubernetes.io/is-default-class',
  ],
  /** The default StorageClass, beta annotation. */
  defaultStorageClassBeta: [
    'storageclass.beta.cluster.io/is-default-class',
    'storageclass.beta.kubernetes.io/is-default-class',
  ],
  /** A description of a default object. */
  description: ['cluster.io/description', 'kubernetes.io/description'],
  /** Endpoints that were truncated. */
  endpointsOverCapacity: ['endpoints.cluster.io/over-capacity', 'endpoints.kubernetes.io/over-capacity'],
  /** Whether pods of a service account may only mount its Secrets. */
  enforceMountableSecrets: [
    'cluster.io/enforce-mountable-secrets',
    'kubernetes.io/enforce-mountable-secrets',
  ],
  /** A pod whose images were not reviewed because the webhook failed. */
  imagePolicyFailedOpen: [
    'alpha.image-policy.cluster.io/failed-open',
    'alpha.image-policy.k8s.io/failed-open',
  ],
  /** Middle part of the annotation keys that an image policy webhook receives. */
  imagePolicyMark: ['.image-policy.cluster.io/', '.image-policy.k8s.io/'],
  /** The class of an Ingress, before spec.ingressClassName. */
  ingressClass: ['cluster.io/ingress.class', 'kubernetes.io/ingress.class'],
  /** The bookmark that ends the initial events of a watch. */
  initialEventsEnd: ['cluster.io/initial-events-end', 'k8s.io/initial-events-end'],
  /** A Job whose pods are tracked by finalizers. */
  jobTracking: ['batch.cluster.io/job-tracking', 'batch.kubernetes.io/job-tracking'],
  /** The configuration that kubectl last applied. */
  lastApplied: [
    'kubectl.cluster.io/last-applied-configuration',
    'kubectl.kubernetes.io/last-applied-configuration',
  ],
  /** Resource defaults that LimitRanger set on a pod. */
  limitRanger: ['cluster.io/limit-ranger', 'kubernetes.io/limit-ranger'],
  /** Mount options of a volume, before spec.mountOptions. */
  mountOptions: ['volume.beta.cluster.io/mount-options', 'volume.beta.kubernetes.io/mount-options'],
  /** The node selector for pods of a namespace. */
  namespaceNodeSelector: [
    'scheduler.alpha.cluster.io/node-selector',
    'scheduler.alpha.kubernetes.io/node-selector',
  ],
  /** Taints of a node, before spec.taints. */
  nodeTaintsAlpha: ['scheduler.alpha.cluster.io/taints', 'scheduler.alpha.kubernetes.io/taints'],
  /** The order in which a ReplicaSet deletes pods. */
  podDeletionCost: ['controller.cluster.io/pod-deletion-cost', 'controller.kubernetes.io/pod-deletion-cost'],
  /** Pods that the scheduler avoids placing on a node. */
  preferAvoidPods: [
    'scheduler.alpha.cluster.io/preferAvoidPods',
    'scheduler.alpha.kubernetes.io/preferAvoidPods',
  ],
  /** Whether the server restores a default role or binding. */
  rbacAutoupdate: ['rbac.authorization.cluster.io/autoupdate', 'rbac.authorization.kubernetes.io/autoupdate'],
  /** The seccomp profile of a container, before securityContext.seccompProfile. */
  seccompContainer: [
    'container.seccomp.security.alpha.cluster.io/',
    'container.seccomp.security.alpha.kubernetes.io/',
  ],
  /** The seccomp profile of a pod, before securityContext.seccompProfile. */
  seccompPod: ['seccomp.security.alpha.cluster.io/pod', 'seccomp.security.alpha.kubernetes.io/pod'],
  /** The service account of a token Secret. */
  serviceAccountName: ['cluster.io/service-account.name', 'kubernetes.io/service-account.name'],
  /** The UID of the service account of a token Secret. */
  serviceAccountUid: ['cluster.io/service-account.uid', 'kubernetes.io/service-account.uid'],
  /** Source ranges allowed to reach a load balancer, before spec.loadBalancerSourceRanges. */
  serviceSourceRanges: [
    'service.beta.cluster.io/load-balancer-source-ranges',
    'service.beta.kubernetes.io/load-balancer-source-ranges',
  ],
  /** The StorageClass of a claim or volume, before spec.storageClassName. */
  storageClassBeta: ['volume.beta.cluster.io/storage-class', 'volume.beta.kubernetes.io/storage-class'],
  /** Kernel parameters of a pod, before securityContext.sysctls. */
  sysctlsAlpha: ['security.alpha.cluster.io/sysctls', 'security.alpha.kubernetes.io/sysctls'],
  /** Tolerations of a pod, before spec.tolerations. */
  tolerationsAlpha: ['scheduler.alpha.cluster.io/tolerations', 'scheduler.alpha.kubernetes.io/tolerations'],
  /** Tolerations allowed for the pods of a namespace. */
  tolerationsWhitelist: [
    'scheduler.alpha.cluster.io/tolerationsWhitelist',
    'scheduler.alpha.kubernetes.io/tolerationsWhitelist',
  ],
  /** Unsafe kernel parameters of a pod, before securityContext.sysctls. */
  unsafeSysctlsAlpha: [
    'security.alpha.cluster.io/unsafe-sysctls',
    'security.alpha.kubernetes.io/unsafe-sysctls',
  ],
} as const satisfies NameTable;

/** Audit annotation keys, and prefixes of keys whose last part varies. */
export const auditTable = {
  /** The authorization decision. */
  decision: ['authorization.cluster.io/decision', 'authorization.k8s.io/decision'],
  /** A request to a deprecated API version. */
  deprecated: ['cluster.io/deprecated', 'k8s.io/deprecated'],
  /** A mutating webhook whose failure was ignored. */
  failedOpenMutating: [
    'failed-open.mutation.webhook.admission.cluster.io/',
    'failed-open.mutation.webhook.admission.k8s.io/',
  ],
  /** A validating webhook whose failure was ignored. */
  failedOpenValidating: [
    'failed-open.validating.webhook.admission.cluster.io/',
    'failed-open.validating.webhook.admission.k8s.io/',
  ],
  /** Prefix of the keys of ImagePolicyWebhook. */
  imagePolicy: ['imagepolicywebhook.image-policy.cluster.io/', 'imagepolicywebhook.image-policy.k8s.io/'],
  /** The service account of a token that never expires. */
  legacyToken: ['authentication.cluster.io/legacy-token', 'authentication.k8s.io/legacy-token'],
  /** Whether a webhook changed the object. */
  mutation: ['mutation.webhook.admission.cluster.io/', 'mutation.webhook.admission.k8s.io/'],
  /** The patch of a mutating webhook. */
  patch: ['patch.webhook.admission.cluster.io/', 'patch.webhook.admission.k8s.io/'],
  /** Prefix of the keys of PodSecurity. */
  podSecurity: ['pod-security.cluster.io/', 'pod-security.kubernetes.io/'],
  /** The reason of the authorization decision. */
  reason: ['authorization.cluster.io/reason', 'authorization.k8s.io/reason'],
  /** The release that removes the API version. */
  removedRelease: ['cluster.io/removed-release', 'k8s.io/removed-release'],
  /** A token that should have been refreshed. */
  staleToken: ['authentication.cluster.io/stale-token', 'authentication.k8s.io/stale-token'],
  /** An audit event without request and response bodies. */
  truncated: ['audit.cluster.io/truncated', 'audit.k8s.io/truncated'],
  /** Failures of validating admission policies. */
  validationFailed: [
    'validation.policy.admission.cluster.io/validation_failure',
    'validation.policy.admission.k8s.io/validation_failure',
  ],
} as const satisfies NameTable;

/** Finalizers that the server sets on metadata, and the finalizer in the spec of namespaces. */
export const finalizerTable = {
  /** On a custom resource definition, until its custom resources are deleted. */
  customResources: [
    'customresourcecleanup.apiextensions.cluster.io',
    'customresourcecleanup.apiextensions.k8s.io',
  ],
  /** In the spec of a namespace, until its contents are deleted. */
  namespace: ['cluster', 'kubernetes'],
  /** On a volume that a claim is bound to. */
  persistentVolume: ['cluster.io/pv-protection', 'kubernetes.io/pv-protection'],
  /** On a claim that pods use. */
  persistentVolumeClaim: ['cluster.io/pvc-protection', 'kubernetes.io/pvc-protection'],
} as const satisfies NameTable;

/** Taints of nodes, which pods tolerate. */
export const taintTable = {
  diskPressure: ['node.cluster.io/disk-pressure', 'node.kubernetes.io/disk-pressure'],
  memoryPressure: ['node.cluster.io/memory-pressure', 'node.kubernetes.io/memory-pressure'],
  notReady: ['node.cluster.io/not-ready', 'node.kubernetes.io/not-ready'],
  unreachable: ['node.cluster.io/unreachable', 'node.kubernetes.io/unreachable'],
} as const satisfies NameTable;
