import type { PluginOffer } from '../chain/plugin-offer.ts';
import { namespaceLifecycle } from './namespace-lifecycle/mutate.ts';
import { validatingWebhooks } from './validating-webhook/offer.ts';

/**
 * Every plugin there is, in the order in which they run (that of the flags does not matter). The order is that of the
 * field's server: what completes an object before what looks at it, webhooks after all other plugins, and quotas last,
 * because what is refused must not be charged.
 */
export const offeredPlugins: readonly PluginOffer[] = [
  // AlwaysAdmit
  // NamespaceAutoProvision
  namespaceLifecycle,
  // NamespaceExists
  // SecurityContextDeny
  // LimitPodHardAntiAffinityTopology
  // LimitRanger
  // ServiceAccount
  // NodeRestriction
  // TaintNodesByCondition
  // AlwaysPullImages
  // ImagePolicyWebhook
  // PodSecurity
  // PodNodeSelector
  // Priority
  // DefaultTolerationSeconds
  // PodTolerationRestriction
  // EventRateLimit
  // ExtendedResourceToleration
  // PersistentVolumeLabel
  // DefaultStorageClass
  // StorageObjectInUseProtection
  // OwnerReferencesPermissionEnforcement
  // PersistentVolumeClaimResize
  // RuntimeClass
  // CertificateApproval
  // CertificateSigning
  // CertificateSubjectRestriction
  // DefaultIngressClass
  // DenyServiceExternalIPs
  // MutatingAdmissionWebhook
  // ValidatingAdmissionPolicy
  validatingWebhooks,
  // ResourceQuota
  // AlwaysDeny
];
