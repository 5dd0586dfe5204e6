import { groups, labels } from '@binnacle/api-names';
import { equalJson, type JsonObject } from '@binnacle/api-objects';
import { isBuiltInGroup, type TypeRegistry } from '@binnacle/api-types';
import type { BootstrapObject } from './bootstrap-objects.ts';

/** What clients choose among groups by, the highest first, as kube-apiserver 1.26 has it. */
const groupPriorities: Readonly<Record<string, number>> = {
  '': 18_000,
  apps: 17_800,
  [groups.events]: 17_750,
  [groups.authentication]: 17_700,
  [groups.authorization]: 17_600,
  autoscaling: 17_500,
  batch: 17_400,
  [groups.certificates]: 17_300,
  [groups.networking]: 17_200,
  policy: 17_100,
  [groups.rbac]: 17_000,
  [groups.storage]: 16_800,
  [groups.admissionregistration]: 16_700,
  [groups.apiextensions]: 16_700,
  [groups.scheduling]: 16_600,
  [groups.coordination]: 16_500,
  [groups.node]: 16_300,
  [groups.discovery]: 16_200,
  [groups.flowcontrol]: 16_100,
};
/** Of groups that are not among these. */
const otherGroupPriority = 2000;

/** What clients choose among the versions of a group by, where it is not what versions of their stability have. */
const versionPriorities: Readonly<Record<string, number>> = {
  '/v1': 1,
  'autoscaling/v2': 30,
  [`${groups.authentication}/v1alpha1`]: 1,
  [`${groups.networking}/v1alpha1`]: 1,
  [`${groups.flowcontrol}/v1beta2`]: 15,
  [`${groups.flowcontrol}/v1beta3`]: 18,
};

const managed = { [labels.automanaged]: 'onstart' };

/** An APIService for each version of a group that this server serves itself. */
export function apiServiceObjects(registry: Pick<TypeRegistry, 'groups'>): BootstrapObject[] {
  return (
    registry
      .groups()
      // Their own group is not among them, as with kube-apiserver.
      .filter(({ group }) => isBuiltInGroup(group) && group !== groups.apiregistration)
      .flatMap(({ group, versions }) => versions.map(version => apiServiceObject(group, version)))
  );
}

function apiServiceObject(group: string, version: string): BootstrapObject {
  const spec: JsonObject = {
    ...(group !== '' && { group }),
    version,
    groupPriorityMinimum: groupPriorities[group] ?? otherGroupPriority,
    versionPriority:
      versionPriorities[`${group}/${version}`] ??
      (version.includes('alpha') || version.includes('beta') ? 9 : 15),
  };
  return {
    group: groups.apiregistration,
    version: 'v1',
    resource: 'apiservices',
    name: `${version}.${group}`,
    content: { metadata: { labels: managed }, spec },
    comesBack: false,
    reconciled: undefined,
    // One without the label is an administrator's.
    bring: current =>
      current.metadata.labels?.[labels.automanaged] !== managed[labels.automanaged] ||
      equalJson(current['spec'], spec)
        ? current
        : { ...current, spec },
  };
}
