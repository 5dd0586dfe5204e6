import {
  type ApiObject,
  copyJson,
  equalJson,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  notFoundField,
} from '@binnacle/api-objects';
import type { EphemeralContainer, Pod, PodSpec } from '../../../generated/core/v1.ts';
import { addedContainerErrors } from './container-validation.ts';

/** What is planned for with a pod's place and life: a container that comes later has no say in it. */
const forbiddenFields = [
  'ports',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
  'resources',
] as const satisfies readonly (keyof EphemeralContainer)[];

/** Takes from an object nothing but its ephemeral containers; the rest is as it was. */
export function keepEphemeralContainers(object: Pod, old: Pod): void {
  const wanted = object.spec?.ephemeralContainers;
  const { resourceVersion } = object.metadata;
  replaceContent(object, copyJson(old));
  if (resourceVersion !== undefined) object.metadata.resourceVersion = resourceVersion;
  if (wanted === undefined) {
    delete object.spec?.ephemeralContainers;
    return;
  }
  object.spec ??= {};
  object.spec.ephemeralContainers = wanted;
}

function replaceContent(object: ApiObject, content: ApiObject): void {
  for (const name of Object.keys(object)) delete object[name];
  Object.assign(object, content);
}

/** The findings about a change of ephemeral containers: those that are there stay as they are, others may be added. */
export function ephemeralContainersErrors(spec: PodSpec, old: PodSpec): FieldError[] {
  const path = fieldPath('spec', 'ephemeralContainers');
  const before = new Map((old.ephemeralContainers ?? []).map(container => [container.name ?? '', container]));
  const wanted = spec.ephemeralContainers ?? [];
  const errors: FieldError[] = [];
  for (const [index, container] of wanted.entries()) {
    const known = before.get(container.name ?? '');
    if (known === undefined) errors.push(...additionErrors(container, spec, path.index(index)));
    else if (!equalJson(known, container))
      errors.push(
        forbiddenField(
          path,
          `existing ephemeral containers ${JSON.stringify(known.name ?? '')} may not be changed`,
        ),
      );
  }
  const names = new Set(wanted.map(container => container.name ?? ''));
  for (const name of before.keys())
    if (!names.has(name))
      errors.push(
        forbiddenField(path, `existing ephemeral containers ${JSON.stringify(name)} may not be removed`),
      );
  return errors;
}

function additionErrors(container: EphemeralContainer, spec: PodSpec, path: FieldPath): FieldError[] {
  const errors = addedContainerErrors(container, spec, path);
  for (const field of forbiddenFields)
    if (!isUnset(container[field]))
      errors.push(forbiddenField(path.child(field), 'cannot be set for an Ephemeral Container'));
  for (const [index, mount] of (container.volumeMounts ?? []).entries())
    for (const field of ['subPath', 'subPathExpr'] as const)
      if ((mount[field] ?? '') !== '')
        errors.push(
          forbiddenField(
            path.child('volumeMounts').index(index).child(field),
            'cannot be set for an Ephemeral Container',
          ),
        );
  const target = container.targetContainerName ?? '';
  const targets = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  if (target !== '' && !targets.some(other => (other.name ?? '') === target))
    errors.push(notFoundField(path.child('targetContainerName'), target));
  return errors;
}

function isUnset(value: unknown): boolean {
  return (
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  );
}
