import { groups, labels } from '@binnacle/api-names';
import { equalJson, type JsonObject } from '@binnacle/api-objects';
import { isBuiltInGroup, type TypeRegistry } from '@binnacle/api-types';
import type { BootstrapObject } from './ensure-objects.ts';

/** The priorities by which clients choose among groups, the highest first, as kube-apiserver 1.26 has them. */
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
/** Priority of all other groups. */
const otherGroupPriority = 2000;

/** The priorities by which clients choose among the versions of a group, where they differ from those of their stability. */
const versionPriorities: Readonly<Record<string, number>> = {
  '/v1': 1,
  'autoscaling/v2': 30,
  [`${groups.authentication}/v1alpha1`]: 1,
  [`${groups.networking}/v1alpha1`]: 1,
  [`${groups.flowcontrol}/v1beta2`]: 15,
  [`${groups.flowcontrol}/v1beta3`]: 18,
};

/** Values of the label of APIServices that servers keep: from their start on, or as long as they run. */
type Kept = 'onstart' | 'true';

/** The priorities of the groups of custom definitions, and of all their versions. */
const definitionPriorities = { groupPriorityMinimum: 1000, versionPriority: 100 };

/** An APIService for each version of a group that this server serves itself. */
export function apiServiceObjects(registry: Pick<TypeRegistry, 'groups'>): BootstrapObject[] {
  return (
    registry
      .groups()
      // The group of APIServices itself has none, as in kube-apiserver.
      .filter(({ group }) => isBuiltInGroup(group) && group !== groups.apiregistration)
      .flatMap(({ group, versions }) => versions.map(version => apiServiceObject(group, version)))
  );
}

/** The APIService of a group version that a custom definition serves. */
export function definitionApiService(group: string, version: string): BootstrapObject {
  return apiServiceFrom({ group, version, ...definitionPriorities }, 'true');
}

/** Whether an APIService is one that servers keep for custom definitions, by its labels. */
export function isKeptForDefinitions(given: Readonly<Partial<Record<string, string>>> = {}): boolean {
  return isKept(given, 'true');
}

/** Whether an APIService is one that servers make for their own group versions when they start, by its labels. */
export function isKeptFromStart(given: Readonly<Partial<Record<string, string>>> = {}): boolean {
  return isKept(given, 'onstart');
}

function isKept(given: Readonly<Partial<Record<string, string>>>, kept: Kept): boolean {
  return given[labels.automanaged] === kept;
}

function apiServiceObject(group: string, version: string): BootstrapObject {
  const spec = {
    ...(group !== '' && { group }),
    version,
    groupPriorityMinimum: groupPriorities[group] ?? otherGroupPriority,
    versionPriority:
      versionPriorities[`${group}/${version}`] ??
      (version.includes('alpha') || version.includes('beta') ? 9 : 15),
  };
  return apiServiceFrom(spec, 'onstart');
}

function apiServiceFrom(
  spec: JsonObject & { readonly group?: string; readonly version: string },
  kept: Kept,
): BootstrapObject {
  return {
    group: groups.apiregistration,
    version: 'v1',
    resource: 'apiservices',
    name: `${spec.version}.${spec.group ?? ''}`,
    content: { metadata: { labels: { [labels.automanaged]: kept } }, spec },
    comesBack: false,
    reconciled: undefined,
    // One without the label is an administrator's.
    bring: current =>
      !isKept(current.metadata.labels ?? {}, kept) || equalJson(current['spec'], spec)
        ? current
        : { ...current, spec },
  };
}
