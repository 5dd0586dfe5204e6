/** A feature gate that affects API objects. */
interface ApiGate {
  readonly stage: 'alpha' | 'beta';
  readonly default: boolean;
  /** The effect of the enabled gate, as part of a sentence. */
  readonly description: string;
}

/**
 * The feature gates of release 1.26 that affect fields, defaults and rules of API objects, with their default states. The fields
 * and rules are defined by their kinds: `gatedFields` and `gatedRules`.
 */
export const apiGates = {
  AnyVolumeDataSource: {
    stage: 'beta',
    default: true,
    description: 'claims have a dataSourceRef of any kind',
  },
  AppArmor: { stage: 'beta', default: true, description: 'pods keep their AppArmor annotations' },
  CSINodeExpandSecret: {
    stage: 'alpha',
    default: false,
    description: 'persistent volumes have csi.nodeExpandSecretRef',
  },
  CronJobTimeZone: { stage: 'beta', default: true, description: 'cron jobs have a timeZone' },
  CrossNamespaceVolumeDataSource: {
    stage: 'alpha',
    default: false,
    description: 'the dataSourceRef of a claim may name a namespace',
  },
  CustomResourceValidationExpressions: {
    stage: 'beta',
    default: true,
    description: 'schemas of custom resource definitions have validation rules',
  },
  DownwardAPIHugePages: {
    stage: 'beta',
    default: true,
    description: 'the downward API shows the huge pages of a container',
  },
  DynamicResourceAllocation: {
    stage: 'alpha',
    default: false,
    description: 'pods have resourceClaims, and containers resources.claims',
  },
  ExpandedDNSConfig: {
    stage: 'beta',
    default: true,
    description: 'a dnsConfig has up to 32 search paths of 2,048 characters together, not 6 of 256',
  },
  HPAContainerMetrics: {
    stage: 'alpha',
    default: false,
    description: 'horizontal pod autoscalers have metrics of type ContainerResource',
  },
  HPAScaleToZero: {
    stage: 'alpha',
    default: false,
    description: 'horizontal pod autoscalers have a minReplicas of 0',
  },
  JobMutableNodeSchedulingDirectives: {
    stage: 'beta',
    default: true,
    description: 'the scheduling of the pods of a suspended job may change',
  },
  JobPodFailurePolicy: { stage: 'beta', default: true, description: 'jobs have a podFailurePolicy' },
  MatchLabelKeysInPodTopologySpread: {
    stage: 'alpha',
    default: false,
    description: 'topologySpreadConstraints have matchLabelKeys',
  },
  MaxUnavailableStatefulSet: {
    stage: 'alpha',
    default: false,
    description: 'stateful sets have rollingUpdate.maxUnavailable',
  },
  MinDomainsInPodTopologySpread: {
    stage: 'beta',
    default: false,
    description: 'topologySpreadConstraints have minDomains',
  },
  NetworkPolicyStatus: {
    stage: 'alpha',
    default: false,
    description: 'network policies have conditions in their status',
  },
  NodeInclusionPolicyInPodTopologySpread: {
    stage: 'beta',
    default: true,
    description: 'topologySpreadConstraints have nodeAffinityPolicy and nodeTaintsPolicy',
  },
  PDBUnhealthyPodEvictionPolicy: {
    stage: 'alpha',
    default: false,
    description: 'pod disruption budgets have an unhealthyPodEvictionPolicy',
  },
  PodDeletionCost: {
    stage: 'beta',
    default: true,
    description: 'the annotation pod-deletion-cost must be an integer',
  },
  PodDisruptionConditions: {
    stage: 'beta',
    default: true,
    description: 'pods that are evicted have the condition DisruptionTarget',
  },
  PodSchedulingReadiness: { stage: 'alpha', default: false, description: 'pods have schedulingGates' },
  ProbeTerminationGracePeriod: {
    stage: 'beta',
    default: true,
    description: 'liveness and startup probes have terminationGracePeriodSeconds',
  },
  ProcMountType: {
    stage: 'alpha',
    default: false,
    description: 'the procMount of containers may be other than Default',
  },
  ReadWriteOncePod: {
    stage: 'alpha',
    default: false,
    description: 'volumes and claims have the access mode ReadWriteOncePod',
  },
  RecoverVolumeExpansionFailure: {
    stage: 'alpha',
    default: false,
    description:
      'claims have allocatedResources and resizeStatus, and may request less after a failed expansion',
  },
  RetroactiveDefaultStorageClass: {
    stage: 'beta',
    default: true,
    description: 'a claim without a storage class may be given one',
  },
  SELinuxMountReadWriteOncePod: {
    stage: 'alpha',
    default: false,
    description: 'CSI drivers have seLinuxMount',
  },
  StatefulSetAutoDeletePVC: {
    stage: 'alpha',
    default: false,
    description: 'stateful sets have a persistentVolumeClaimRetentionPolicy',
  },
  StatefulSetStartOrdinal: { stage: 'alpha', default: false, description: 'stateful sets have ordinals' },
  TopologyAwareHints: {
    stage: 'beta',
    default: true,
    description: 'endpoints of endpoint slices have hints',
  },
  UserNamespacesStatelessPodsSupport: {
    stage: 'alpha',
    default: false,
    description: 'pods have hostUsers',
  },
} as const satisfies Readonly<Record<string, ApiGate>>;

/** The name of a feature gate that affects API objects. */
export type ApiGateName = keyof typeof apiGates;

/** States of the feature gates. */
export interface ApiGateStates {
  isEnabled(name: ApiGateName): boolean;
}

/** The default states of the feature gates. */
export const defaultApiGates: ApiGateStates = { isEnabled: name => apiGates[name].default };
