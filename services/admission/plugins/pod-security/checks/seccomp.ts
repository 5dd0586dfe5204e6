import { understood } from '@binnacle/api-names';
import type { PodSpec } from '@binnacle/api-types/core/v1';
import { annotationValues } from '../../pods/annotations.ts';
import { listEveryContainer } from '../../pods/containers.ts';
import type { CheckDefinition, CheckedPod, Confined, Finding } from './check.ts';
import { containersThat, isForWindows, offendersText, quoted } from './offenders.ts';

/** Refuses the seccomp profile Unconfined. */
export const baselineSeccomp: CheckDefinition = {
  id: 'seccompProfile_baseline',
  level: 'baseline',
  versions: [
    { from: 0, check: annotationsConfine },
    { from: 19, check: fieldsConfine },
  ],
};

/** Requires a seccomp profile. */
export const restrictedSeccomp: CheckDefinition = {
  id: 'seccompProfile_restricted',
  level: 'restricted',
  replaces: 'seccompProfile_baseline',
  versions: [
    { from: 19, check: filterDemanded },
    { from: 25, check: pod => (isForWindows(pod.spec) ? undefined : filterDemanded(pod)) },
  ],
};

const rule = 'seccompProfile';
const confining = ['RuntimeDefault', 'Localhost'];

/** Checks the annotations that held the seccomp profile before release 1.19. */
function annotationsConfine({ metadata, spec }: CheckedPod): Finding | undefined {
  const { seccompPod, seccompContainer } = understood.annotations;
  const keys = [
    ...seccompPod,
    ...listEveryContainer(spec).flatMap(({ name = '' }) => seccompContainer.map(prefix => prefix + name)),
  ];
  const found = keys.flatMap(key =>
    annotationValues(metadata, [key])
      .filter(value => !['runtime/default', 'docker/default'].includes(value))
      .filter(value => !value.startsWith('localhost/'))
      .map(value => `${key}=${JSON.stringify(value)}`),
  );
  return found.length === 0 ? undefined : { rule, detail: `forbidden annotation ${found.join(', ')}` };
}

function fieldsConfine({ spec }: CheckedPod): Finding | undefined {
  const isOff = (owner: Confined) => readProfile(owner) !== '' && !confining.includes(readProfile(owner));
  return forbiddenProfiles(spec, isOff);
}

function filterDemanded({ spec }: CheckedPod): Finding | undefined {
  const isOff = (owner: Confined) => readProfile(owner) !== '' && !confining.includes(readProfile(owner));
  const forbidden = forbiddenProfiles(spec, isOff);
  if (forbidden !== undefined || readProfile(spec) !== '') return forbidden;
  const silent = containersThat(spec, container => readProfile(container) === '');
  if (silent.length === 0) return undefined;
  const who = offendersText(false, silent);
  const detail = `pod or ${who} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`;
  return { rule, detail };
}

function forbiddenProfiles(spec: PodSpec, isOff: (owner: Confined) => boolean): Finding | undefined {
  const found = containersThat(spec, isOff);
  if (found.length === 0 && !isOff(spec)) return undefined;
  const values = quoted([...(isOff(spec) ? [spec] : []), ...found].map(readProfile));
  const who = offendersText(isOff(spec), found);
  return { rule, detail: `${who} must not set securityContext.seccompProfile.type to ${values}` };
}

/** '' when there is none. */
function readProfile({ securityContext }: Confined): string {
  return securityContext?.seccompProfile?.type ?? '';
}
