import { understood } from '@binnacle/api-names';
import type { GatedFields } from '../../definitions/gated-rules.ts';

/** Prefixes of the annotation keys for AppArmor profiles. */
const appArmorPrefixes = understood.annotations.appArmor;

/** Returns the feature-gated fields of a pod, or of a pod template at a path such as `spec.template`. */
export function gatedPodFields(template?: string): GatedFields[] {
  const metadata = template === undefined ? 'metadata' : `${template}.metadata`;
  const spec = template === undefined ? 'spec' : `${template}.spec`;
  const inContainers = (...fields: readonly string[]) =>
    ['containers[]', 'initContainers[]', 'ephemeralContainers[]'].flatMap(containers =>
      fields.map(field => `${spec}.${containers}.${field}`),
    );
  const inConstraints = (field: string) => [`${spec}.topologySpreadConstraints[].${field}`];
  return [
    { gate: 'AppArmor', paths: appArmorPrefixes.map(prefix => `${metadata}.annotations{${prefix}}`) },
    {
      gate: 'ProbeTerminationGracePeriod',
      paths: inContainers(
        'livenessProbe.terminationGracePeriodSeconds',
        'startupProbe.terminationGracePeriodSeconds',
      ),
    },
    { gate: 'UserNamespacesStatelessPodsSupport', paths: [`${spec}.hostUsers`] },
    { gate: 'PodSchedulingReadiness', paths: [`${spec}.schedulingGates`] },
    // Old objects have the default value, so it is kept.
    { gate: 'ProcMountType', paths: inContainers('securityContext.procMount'), resetTo: 'Default' },
    { gate: 'MinDomainsInPodTopologySpread', paths: inConstraints('minDomains') },
    { gate: 'NodeInclusionPolicyInPodTopologySpread', paths: inConstraints('nodeTaintsPolicy') },
    { gate: 'NodeInclusionPolicyInPodTopologySpread', paths: inConstraints('nodeAffinityPolicy') },
    { gate: 'MatchLabelKeysInPodTopologySpread', paths: inConstraints('matchLabelKeys') },
    {
      gate: 'DynamicResourceAllocation',
      paths: [`${spec}.resourceClaims`, ...inContainers('resources.claims')],
      inUse: [`${spec}.resourceClaims`],
    },
    // Only containers use resource claims; the shared type gives volume claims the field too.
    { paths: [`${spec}.volumes[].ephemeral.volumeClaimTemplate.spec.resources.claims`], inUse: [] },
  ];
}
