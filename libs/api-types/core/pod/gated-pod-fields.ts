import { understood } from '@binnacle/api-names';
import type { GatedFields } from '../../definitions/gated-rules.ts';

/** The keys of annotations that choose AppArmor profiles begin so. */
const appArmorPrefixes = understood.annotations.appArmor;

/** The fields of a pod, or of a pod template at a path such as `spec.template`, that depend on feature gates. */
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
    // Objects of long ago have the default, so that it stays where it is.
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
    // Only containers use devices; a claim shares the type of the field with them.
    { paths: [`${spec}.volumes[].ephemeral.volumeClaimTemplate.spec.resources.claims`], inUse: [] },
  ];
}
