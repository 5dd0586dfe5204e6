import type { Volume } from '@binnacle/api-types/core/v1';
import type { CheckDefinition, CheckedPod, Confined, Finding } from './check.ts';
import { containersThat, isForWindows, offendersText, quoted } from './offenders.ts';

/** Requires allowPrivilegeEscalation=false. */
export const allowPrivilegeEscalation: CheckDefinition = {
  id: 'allowPrivilegeEscalation',
  level: 'restricted',
  versions: [
    { from: 8, check: escalationDenied },
    { from: 25, check: pod => (isForWindows(pod.spec) ? undefined : escalationDenied(pod)) },
  ],
};

function escalationDenied({ spec }: CheckedPod): Finding | undefined {
  const found = containersThat(
    spec,
    ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false,
  );
  if (found.length === 0) return undefined;
  return {
    rule: 'allowPrivilegeEscalation != false',
    detail: `${offendersText(false, found)} must set securityContext.allowPrivilegeEscalation=false`,
  };
}

/** Requires runAsNonRoot=true. */
export const runAsNonRoot: CheckDefinition = {
  id: 'runAsNonRoot',
  level: 'restricted',
  versions: [{ from: 0, check: nonRootDemanded }],
};

function nonRootDemanded({ spec }: CheckedPod): Finding | undefined {
  const rule = 'runAsNonRoot != true';
  const setting = ({ securityContext }: Confined) => securityContext?.runAsNonRoot;
  const opposed = containersThat(spec, container => setting(container) === false);
  const isPodOpposed = setting(spec) === false;
  if (opposed.length > 0 || isPodOpposed) {
    const who = offendersText(isPodOpposed, opposed);
    return { rule, detail: `${who} must not set securityContext.runAsNonRoot=false` };
  }
  if (setting(spec) === true) return undefined;
  const silent = containersThat(spec, container => typeof setting(container) !== 'boolean');
  if (silent.length === 0) return undefined;
  return {
    rule,
    detail: `pod or ${offendersText(false, silent)} must set securityContext.runAsNonRoot=true`,
  };
}

/** Refuses runAsUser=0. */
export const runAsUser: CheckDefinition = {
  id: 'runAsUser',
  level: 'restricted',
  versions: [
    {
      from: 23,
      check: ({ spec }) => {
        const isRoot = ({ securityContext }: Confined) => securityContext?.runAsUser === 0;
        const found = containersThat(spec, isRoot);
        if (found.length === 0 && !isRoot(spec)) return undefined;
        return {
          rule: 'runAsUser=0',
          detail: `${offendersText(isRoot(spec), found)} must not set runAsUser=0`,
        };
      },
    },
  ],
};

const ordinarySources = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
] as const;

/** Restricts the types of volumes. */
export const restrictedVolumes: CheckDefinition = {
  id: 'restrictedVolumes',
  level: 'restricted',
  replaces: 'hostPathVolumes',
  versions: [
    {
      from: 0,
      check: ({ spec }) => {
        const found = (spec.volumes ?? []).filter(
          volume => !ordinarySources.some(source => volume[source] !== undefined),
        );
        if (found.length === 0) return undefined;
        const names = quoted(found.map(({ name = '' }) => name));
        const kinds = quoted(found.map(findVolumeKind));
        return {
          rule: 'restricted volume types',
          detail: `volumes ${names} use restricted volume types ${kinds}`,
        };
      },
    },
  ],
};

function findVolumeKind(volume: Volume): string {
  return Object.keys(volume).find(key => key !== 'name') ?? 'unknown';
}
