import type { PluginOffer } from '../chain/plugin-offer.ts';
import { alwaysAdmit } from './always-admit/always-admit.ts';
import { alwaysDeny } from './always-deny/always-deny.ts';
import { alwaysPullImages } from './always-pull-images/mutate.ts';
import { certificateApproval } from './certificate-approval/certificate-approval.ts';
import { certificateSigning } from './certificate-signing/certificate-signing.ts';
import { certificateSubjectRestriction } from './certificate-subject-restriction/certificate-subject-restriction.ts';
import { defaultIngressClass } from './default-ingress-class/default-ingress-class.ts';
import { defaultStorageClass } from './default-storage-class/default-storage-class.ts';
import { defaultTolerationSeconds } from './default-toleration-seconds/mutate.ts';
import { denyServiceExternalIps } from './deny-service-external-ips/deny-service-external-ips.ts';
import { eventRateLimit } from './event-rate-limit/event-rate-limit.ts';
import { extendedResourceToleration } from './extended-resource-toleration/mutate.ts';
import { imagePolicyWebhook } from './image-policy-webhook/image-policy-webhook.ts';
import { limitPodHardAntiAffinityTopology } from './limit-pod-hard-anti-affinity-topology/validate.ts';
import { limitRanger } from './limit-ranger/offer.ts';
import { mutatingWebhooks } from './mutating-webhook/offer.ts';
import { namespaceAutoProvision } from './namespace-auto-provision/namespace-auto-provision.ts';
import { namespaceExists } from './namespace-exists/namespace-exists.ts';
import { namespaceLifecycle } from './namespace-lifecycle/mutate.ts';
import { nodeRestriction } from './node-restriction/node-restriction.ts';
import { ownerReferencesPermissionEnforcement } from './owner-references-permission-enforcement/owner-references-permission-enforcement.ts';
import { persistentVolumeClaimResize } from './persistent-volume-claim-resize/persistent-volume-claim-resize.ts';
import { persistentVolumeLabel } from './persistent-volume-label/persistent-volume-label.ts';
import { podNodeSelector } from './pod-node-selector/offer.ts';
import { podSecurity } from './pod-security/offer.ts';
import { podTolerationRestriction } from './pod-toleration-restriction/offer.ts';
import { priority } from './priority/offer.ts';
import { resourceQuota } from './resource-quota/validate.ts';
import { runtimeClass } from './runtime-class/offer.ts';
import { securityContextDeny } from './security-context-deny/validate.ts';
import { serviceAccount } from './service-account/offer.ts';
import { storageObjectInUseProtection } from './storage-object-in-use-protection/storage-object-in-use-protection.ts';
import { taintNodesByCondition } from './taint-nodes-by-condition/taint-nodes-by-condition.ts';
import { validatingAdmissionPolicy } from './validating-admission-policy/offer.ts';
import { validatingWebhooks } from './validating-webhook/offer.ts';

/**
 * Every plugin there is, in the order in which they run (that of the flags does not matter). The order is that of
 * kube-apiserver: what completes an object before what looks at it, webhooks after all other plugins, and quotas last,
 * because what is refused must not be charged.
 */
export const offeredPlugins: readonly PluginOffer[] = [
  alwaysAdmit,
  namespaceAutoProvision,
  namespaceLifecycle,
  namespaceExists,
  securityContextDeny,
  limitPodHardAntiAffinityTopology,
  limitRanger,
  serviceAccount,
  nodeRestriction,
  taintNodesByCondition,
  alwaysPullImages,
  imagePolicyWebhook,
  podSecurity,
  podNodeSelector,
  priority,
  defaultTolerationSeconds,
  podTolerationRestriction,
  eventRateLimit,
  extendedResourceToleration,
  persistentVolumeLabel,
  defaultStorageClass,
  storageObjectInUseProtection,
  ownerReferencesPermissionEnforcement,
  persistentVolumeClaimResize,
  runtimeClass,
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  defaultIngressClass,
  denyServiceExternalIps,
  mutatingWebhooks,
  validatingAdmissionPolicy,
  validatingWebhooks,
  resourceQuota,
  alwaysDeny,
];
