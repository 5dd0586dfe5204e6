import type { NameTable } from './name-table.ts';

/** Labels, and the beginnings of such as have a part of their own behind. */
export const labelTable = {
  /** Which aggregated role gets the rules of a role. */
  aggregateTo: ['rbac.authorization.cluster.io/aggregate-to-', 'rbac.authorization.k8s.io/aggregate-to-'],
  /** The processor architecture of a node. */
  arch: ['cluster.io/arch', 'kubernetes.io/arch'],
  /** APIServices that the server manages. */
  automanaged: ['cluster-aggregator.cluster.io/automanaged', 'kube-aggregator.kubernetes.io/automanaged'],
  /** The processor architecture of a node, before it was stable. */
  betaArch: ['beta.cluster.io/arch', 'beta.kubernetes.io/arch'],
  /** The type of machine of a node, before it was stable. */
  betaInstanceType: ['beta.cluster.io/instance-type', 'beta.kubernetes.io/instance-type'],
  /** The operating system of a node, before it was stable. */
  betaOs: ['beta.cluster.io/os', 'beta.kubernetes.io/os'],
  /** The region of a node or volume, before it was stable. */
  betaRegion: ['failure-domain.beta.cluster.io/region', 'failure-domain.beta.kubernetes.io/region'],
  /** The zone of a node or volume, before it was stable. */
  betaZone: ['failure-domain.beta.cluster.io/zone', 'failure-domain.beta.kubernetes.io/zone'],
  /** Default roles and bindings, with the policy that they come from. */
  bootstrapping: ['cluster.io/bootstrapping', 'kubernetes.io/bootstrapping'],
  /** The component whose identity a lease is. */
  component: ['cluster.io/component', 'k8s.io/component'],
  /** Endpoints of a Service without an address. */
  headlessService: ['service.cluster.io/headless', 'service.kubernetes.io/headless'],
  /** The name of the machine of a node. */
  hostname: ['cluster.io/hostname', 'kubernetes.io/hostname'],
  /** The type of machine of a node. */
  instanceType: ['node.cluster.io/instance-type', 'node.kubernetes.io/instance-type'],
  /** The name of a namespace. */
  metadataName: ['cluster.io/metadata.name', 'kubernetes.io/metadata.name'],
  /** The domain of labels that nodes do not set on themselves. */
  nodeRestriction: ['node-restriction.cluster.io', 'node-restriction.kubernetes.io'],
  /** The roles of a node. */
  nodeRole: ['node-role.cluster.io/', 'node-role.kubernetes.io/'],
  /** The operating system of a node. */
  os: ['cluster.io/os', 'kubernetes.io/os'],
  /** The levels and versions of pod security in a namespace. */
  podSecurity: ['pod-security.cluster.io/', 'pod-security.kubernetes.io/'],
  /** The domain of labels of roles. */
  rbacDomain: ['rbac.authorization.cluster.io/', 'rbac.authorization.k8s.io/'],
  /** The region of a node or volume. */
  region: ['topology.cluster.io/region', 'topology.kubernetes.io/region'],
  /** The role of a node, in one label. */
  role: ['cluster.io/role', 'kubernetes.io/role'],
  /** The Service of an EndpointSlice. */
  serviceName: ['cluster.io/service-name', 'kubernetes.io/service-name'],
  /** The controller that manages an EndpointSlice. */
  sliceManagedBy: ['endpointslice.cluster.io/managed-by', 'endpointslice.kubernetes.io/managed-by'],
  /** Endpoints that are not mirrored into EndpointSlices. */
  sliceSkipMirror: ['endpointslice.cluster.io/skip-mirror', 'endpointslice.kubernetes.io/skip-mirror'],
  /** The build of Windows on a node. */
  windowsBuild: ['node.cluster.io/windows-build', 'node.kubernetes.io/windows-build'],
  /** The zone of a node or volume. */
  zone: ['topology.cluster.io/zone', 'topology.kubernetes.io/zone'],
} as const satisfies NameTable;

/** Annotations of objects, and the beginnings of such as have a part of their own behind. */
export const annotationTable = {
  /** The approval of a definition in a protected group. */
  apiApproved: ['api-approved.cluster.io', 'api-approved.kubernetes.io'],
  /** Whether the server keeps an object of flow control as it ships it. */
  apfAutoupdate: ['apf.cluster.io/autoupdate-spec', 'apf.kubernetes.io/autoupdate-spec'],
  /** The AppArmor profile of a container. */
  appArmor: [
    'container.apparmor.security.beta.cluster.io/',
    'container.apparmor.security.beta.kubernetes.io/',
  ],
  /** The behaviour of an autoscaler, in version 1. */
  autoscalerBehavior: ['autoscaling.alpha.cluster.io/behavior', 'autoscaling.alpha.kubernetes.io/behavior'],
  /** The conditions of an autoscaler, in version 1. */
  autoscalerConditions: [
    'autoscaling.alpha.cluster.io/conditions',
    'autoscaling.alpha.kubernetes.io/conditions',
  ],
  /** The metrics that an autoscaler found, in version 1. */
  autoscalerCurrentMetrics: [
    'autoscaling.alpha.cluster.io/current-metrics',
    'autoscaling.alpha.kubernetes.io/current-metrics',
  ],
  /** The metrics of an autoscaler, in version 1. */
  autoscalerMetrics: ['autoscaling.alpha.cluster.io/metrics', 'autoscaling.alpha.kubernetes.io/metrics'],
  /** Fields of an autoscaler of version 2 that version 1 does not have; not a name of release 1.26. */
  autoscalerExact: ['autoscaling.alpha.cluster.io/v2-metrics', 'autoscaling.alpha.kubernetes.io/v2-metrics'],
  /** A pod that a node runs from a file. */
  configMirror: ['cluster.io/config.mirror', 'kubernetes.io/config.mirror'],
  /** A pod that the cluster needs, before there were priorities. */
  criticalPod: ['scheduler.alpha.cluster.io/critical-pod', 'scheduler.alpha.kubernetes.io/critical-pod'],
  /** Tolerations of pods that have none, by namespace. */
  defaultTolerations: [
    'scheduler.alpha.cluster.io/defaultTolerations',
    'scheduler.alpha.kubernetes.io/defaultTolerations',
  ],
  /** The class of Ingresses that name none. */
  defaultIngressClass: [
    'ingressclass.cluster.io/is-default-class',
    'ingressclass.kubernetes.io/is-default-class',
  ],
  /** The class of claims that name none. */
  defaultStorageClass: [
    'storageclass.cluster.io/is-default-class',
    'storageclass.kubernetes.io/is-default-class',
  ],
  /** The class of claims that name none, before it was stable. */
  defaultStorageClassBeta: [
    'storageclass.beta.cluster.io/is-default-class',
    'storageclass.beta.kubernetes.io/is-default-class',
  ],
  /** A text for readers about a default object. */
  description: ['cluster.io/description', 'kubernetes.io/description'],
  /** Endpoints of which some were left out. */
  endpointsOverCapacity: ['endpoints.cluster.io/over-capacity', 'endpoints.kubernetes.io/over-capacity'],
  /** Whether pods of an account may mount only its Secrets. */
  enforceMountableSecrets: [
    'cluster.io/enforce-mountable-secrets',
    'kubernetes.io/enforce-mountable-secrets',
  ],
  /** A pod whose images were not reviewed. */
  imagePolicyFailedOpen: [
    'alpha.image-policy.cluster.io/failed-open',
    'alpha.image-policy.k8s.io/failed-open',
  ],
  /** Middle part of the annotation keys that an image policy webhook receives. */
  imagePolicyMark: ['.image-policy.cluster.io/', '.image-policy.k8s.io/'],
  /** The class of an Ingress, before it was a field. */
  ingressClass: ['cluster.io/ingress.class', 'kubernetes.io/ingress.class'],
  /** The bookmark after the objects that a watch begins with. */
  initialEventsEnd: ['cluster.io/initial-events-end', 'k8s.io/initial-events-end'],
  /** A Job whose pods are counted by finalizers. */
  jobTracking: ['batch.cluster.io/job-tracking', 'batch.kubernetes.io/job-tracking'],
  /** The object as kubectl last applied it. */
  lastApplied: [
    'kubectl.cluster.io/last-applied-configuration',
    'kubectl.kubernetes.io/last-applied-configuration',
  ],
  /** Resource defaults that LimitRanger set in a pod. */
  limitRanger: ['cluster.io/limit-ranger', 'kubernetes.io/limit-ranger'],
  /** Mount options of a volume, before they were a field. */
  mountOptions: ['volume.beta.cluster.io/mount-options', 'volume.beta.kubernetes.io/mount-options'],
  /** The node selector of the pods of a namespace. */
  namespaceNodeSelector: [
    'scheduler.alpha.cluster.io/node-selector',
    'scheduler.alpha.kubernetes.io/node-selector',
  ],
  /** Taints of a node, before they were a field. */
  nodeTaintsAlpha: ['scheduler.alpha.cluster.io/taints', 'scheduler.alpha.kubernetes.io/taints'],
  /** Which pods a ReplicaSet deletes first. */
  podDeletionCost: ['controller.cluster.io/pod-deletion-cost', 'controller.kubernetes.io/pod-deletion-cost'],
  /** Pods that the scheduler should not put on a node. */
  preferAvoidPods: [
    'scheduler.alpha.cluster.io/preferAvoidPods',
    'scheduler.alpha.kubernetes.io/preferAvoidPods',
  ],
  /** Whether the server restores a default role or binding. */
  rbacAutoupdate: ['rbac.authorization.cluster.io/autoupdate', 'rbac.authorization.kubernetes.io/autoupdate'],
  /** The seccomp profile of a container, before it was a field. */
  seccompContainer: [
    'container.seccomp.security.alpha.cluster.io/',
    'container.seccomp.security.alpha.kubernetes.io/',
  ],
  /** The seccomp profile of a pod, before it was a field. */
  seccompPod: ['seccomp.security.alpha.cluster.io/pod', 'seccomp.security.alpha.kubernetes.io/pod'],
  /** The account of a Secret with a token. */
  serviceAccountName: ['cluster.io/service-account.name', 'kubernetes.io/service-account.name'],
  /** The UID of the account of a Secret with a token. */
  serviceAccountUid: ['cluster.io/service-account.uid', 'kubernetes.io/service-account.uid'],
  /** Addresses that reach a load balancer, before they were a field. */
  serviceSourceRanges: [
    'service.beta.cluster.io/load-balancer-source-ranges',
    'service.beta.kubernetes.io/load-balancer-source-ranges',
  ],
  /** The class of a claim or volume, before it was a field. */
  storageClassBeta: ['volume.beta.cluster.io/storage-class', 'volume.beta.kubernetes.io/storage-class'],
  /** Kernel parameters of a pod, before they were a field. */
  sysctlsAlpha: ['security.alpha.cluster.io/sysctls', 'security.alpha.kubernetes.io/sysctls'],
  /** Tolerations of a pod, before they were a field. */
  tolerationsAlpha: ['scheduler.alpha.cluster.io/tolerations', 'scheduler.alpha.kubernetes.io/tolerations'],
  /** Tolerations that pods may have, by namespace. */
  tolerationsWhitelist: [
    'scheduler.alpha.cluster.io/tolerationsWhitelist',
    'scheduler.alpha.kubernetes.io/tolerationsWhitelist',
  ],
  /** Unsafe kernel parameters of a pod, before they were a field. */
  unsafeSysctlsAlpha: [
    'security.alpha.cluster.io/unsafe-sysctls',
    'security.alpha.kubernetes.io/unsafe-sysctls',
  ],
} as const satisfies NameTable;

/** Keys of annotations of audit events, and the beginnings of such as have a part of their own behind. */
export const auditTable = {
  /** The decision of authorization. */
  decision: ['authorization.cluster.io/decision', 'authorization.k8s.io/decision'],
  /** A request of a deprecated version. */
  deprecated: ['cluster.io/deprecated', 'k8s.io/deprecated'],
  /** A mutating webhook that failed and was ignored. */
  failedOpenMutating: [
    'failed-open.mutation.webhook.admission.cluster.io/',
    'failed-open.mutation.webhook.admission.k8s.io/',
  ],
  /** A validating webhook that failed and was ignored. */
  failedOpenValidating: [
    'failed-open.validating.webhook.admission.cluster.io/',
    'failed-open.validating.webhook.admission.k8s.io/',
  ],
  /** Of ImagePolicyWebhook. */
  imagePolicy: ['imagepolicywebhook.image-policy.cluster.io/', 'imagepolicywebhook.image-policy.k8s.io/'],
  /** The account of a token that never expires. */
  legacyToken: ['authentication.cluster.io/legacy-token', 'authentication.k8s.io/legacy-token'],
  /** Whether a webhook changed the object. */
  mutation: ['mutation.webhook.admission.cluster.io/', 'mutation.webhook.admission.k8s.io/'],
  /** The patch of a webhook. */
  patch: ['patch.webhook.admission.cluster.io/', 'patch.webhook.admission.k8s.io/'],
  /** Of PodSecurity. */
  podSecurity: ['pod-security.cluster.io/', 'pod-security.kubernetes.io/'],
  /** Reason of that decision. */
  reason: ['authorization.cluster.io/reason', 'authorization.k8s.io/reason'],
  /** The release in which the version is removed. */
  removedRelease: ['cluster.io/removed-release', 'k8s.io/removed-release'],
  /** A token that should have been renewed. */
  staleToken: ['authentication.cluster.io/stale-token', 'authentication.k8s.io/stale-token'],
  /** An event without its bodies. */
  truncated: ['audit.cluster.io/truncated', 'audit.k8s.io/truncated'],
  /** Failures of validating admission policies. */
  validationFailed: [
    'validation.policy.admission.cluster.io/validation_failure',
    'validation.policy.admission.k8s.io/validation_failure',
  ],
} as const satisfies NameTable;

/** Finalizers that the server sets, and the one in the specification of namespaces. */
export const finalizerTable = {
  /** Of a definition whose objects are to go first. */
  customResources: [
    'customresourcecleanup.apiextensions.cluster.io',
    'customresourcecleanup.apiextensions.k8s.io',
  ],
  /** In the specification of a namespace, whose contents are to go first. */
  namespace: ['cluster', 'kubernetes'],
  /** Of a volume that claims are bound to. */
  persistentVolume: ['cluster.io/pv-protection', 'kubernetes.io/pv-protection'],
  /** Of a claim that pods use. */
  persistentVolumeClaim: ['cluster.io/pvc-protection', 'kubernetes.io/pvc-protection'],
} as const satisfies NameTable;

/** Taints of nodes, and what pods tolerate. */
export const taintTable = {
  diskPressure: ['node.cluster.io/disk-pressure', 'node.kubernetes.io/disk-pressure'],
  memoryPressure: ['node.cluster.io/memory-pressure', 'node.kubernetes.io/memory-pressure'],
  notReady: ['node.cluster.io/not-ready', 'node.kubernetes.io/not-ready'],
  unreachable: ['node.cluster.io/unreachable', 'node.kubernetes.io/unreachable'],
} as const satisfies NameTable;
