import { understood } from '@binnacle/api-names';
import { type FieldError, type FieldPath, fieldPath, forbiddenField } from '@binnacle/api-objects';
import type { Container, Pod, SeccompProfile } from '../../generated/core/v1.ts';

/*
 * Annotations of seccomp profiles that preceded the field. Release 1.26 defaults the field of a new pod from them, and no longer
 * the annotations from the field; templates are unchanged.
 */

type Annotations = Readonly<Record<string, string>>;

const { seccompPod: podKeys, seccompContainer: containerPrefixes } = understood.annotations;
const containerKeys = (name: string) => containerPrefixes.map(prefix => prefix + name);
const containerLists = ['initContainers', 'containers', 'ephemeralContainers'] as const;
const localPrefix = 'localhost/';

/** Sets the profiles of a new pod and its containers from its annotations if the fields are unset. Modifies `pod`. */
export function fillInSeccompProfiles({ metadata, spec }: Pod): void {
  const { annotations } = metadata;
  if (annotations === undefined || spec === undefined) return;
  fillIn(spec, chosenBy(annotations, podKeys));
  for (const list of containerLists)
    for (const container of spec[list] ?? [])
      fillIn(container, chosenBy(annotations, containerKeys(container.name ?? '')));
}

/** Reports annotations of a new pod that contradict its fields. */
export function seccompConflicts({ metadata, spec = {} }: Pod): FieldError[] {
  const { annotations } = metadata;
  if (annotations === undefined) return [];
  const path = fieldPath('spec');
  return [
    ...findConflicts(spec.securityContext?.seccompProfile, chosenBy(annotations, podKeys), path),
    ...containerLists.flatMap(list =>
      (spec[list] ?? []).flatMap(({ name = '', securityContext }: Container, index) =>
        findConflicts(
          securityContext?.seccompProfile,
          chosenBy(annotations, containerKeys(name)),
          path.child(list).index(index),
        ),
      ),
    ),
  ];
}

function fillIn(
  holder: { securityContext?: { seccompProfile?: SeccompProfile } },
  chosen: SeccompProfile | undefined,
): void {
  if (chosen === undefined || holder.securityContext?.seccompProfile !== undefined) return;
  holder.securityContext ??= {};
  holder.securityContext.seccompProfile = chosen;
}

/** Returns the profile of the first annotation; undefined if there is none, or if it is invalid, which is refused elsewhere. */
function chosenBy(annotations: Annotations, keys: readonly string[]): SeccompProfile | undefined {
  const value = keys.map(key => annotations[key]).find(one => one !== undefined);
  switch (value) {
    case undefined:
      return undefined;
    case 'unconfined':
      return { type: 'Unconfined' };
    case 'runtime/default':
    case 'docker/default':
      return { type: 'RuntimeDefault' };
  }
  const localhostProfile = value.startsWith(localPrefix) ? value.slice(localPrefix.length) : '';
  return localhostProfile === '' ? undefined : { type: 'Localhost', localhostProfile };
}

function findConflicts(
  field: SeccompProfile | undefined,
  chosen: SeccompProfile | undefined,
  holder: FieldPath,
): FieldError[] {
  if (field === undefined || chosen === undefined) return [];
  const path = holder.child('securityContext', 'seccompProfile');
  if (field.type !== chosen.type)
    return [forbiddenField(path.child('type'), 'seccomp type in annotation and field must match')];
  return field.localhostProfile === chosen.localhostProfile
    ? []
    : [forbiddenField(path.child('localhostProfile'), 'seccomp profile in annotation and field must match')];
}
