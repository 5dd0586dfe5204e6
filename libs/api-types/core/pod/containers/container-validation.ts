import {
  duplicateField,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  notFoundField,
  requiredField,
  validateDnsLabel,
} from '@binnacle/api-objects';
import type { Container, EphemeralContainer, PodSpec } from '../../../generated/core/v1.ts';
import { resourceErrors } from '../../resource-amounts/resource-amount-validation.ts';
import { type PodVolumes, podVolumesFromSpec, volumeUseErrors } from '../volumes/volume-mount-validation.ts';
import {
  containerPortErrors,
  hostNetworkPortErrors,
  hostPortConflicts,
} from './container-port-validation.ts';
import { environmentErrors } from './environment-validation.ts';
import { lifecycleErrors, probeErrors } from './probe-validation.ts';
import { securityContextErrors } from './security-context-validation.ts';

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;

/** Validates all containers of a pod's spec; names must be unique across the lists. */
export function containersErrors(spec: PodSpec, path: FieldPath): FieldError[] {
  const volumes = podVolumesFromSpec(spec);
  const { initContainers = [], ephemeralContainers = [] } = spec;
  const containers = spec.containers ?? [];
  const names = new Set<string>();
  const errors: FieldError[] = [];
  if (containers.length === 0) errors.push(requiredField(path.child('containers')));
  for (const [index, container] of containers.entries()) {
    const at = path.child('containers').index(index);
    errors.push(...containerErrors(container, volumes, at), ...repeatedNameErrors(container, names, at));
    errors.push(...watchedErrors(container, at));
    if (spec.hostNetwork === true)
      errors.push(...hostNetworkPortErrors(container.ports ?? [], at.child('ports')));
  }
  errors.push(...hostPortConflicts(containers, path.child('containers')));
  for (const [index, container] of initContainers.entries()) {
    const at = path.child('initContainers').index(index);
    errors.push(...containerErrors(container, volumes, at), ...repeatedNameErrors(container, names, at));
    // Init containers run one after another, never in parallel with others.
    errors.push(...hostPortConflicts([container], path.child('initContainers')));
    errors.push(...initContainerErrors(container, at));
  }
  const targets = new Set(names);
  for (const [index, container] of ephemeralContainers.entries()) {
    const at = path.child('ephemeralContainers').index(index);
    errors.push(...containerErrors(container, volumes, at), ...imageSpaceErrors(container, at));
    errors.push(...repeatedNameErrors(container, names, at));
    errors.push(...ephemeralContainerErrors(container, targets, at));
  }
  return errors;
}

/** Validates rules for containers of pods only: images in templates may be replaced later. */
export function podContainersErrors(spec: PodSpec, path: FieldPath): FieldError[] {
  return (['containers', 'initContainers'] as const).flatMap(list =>
    (spec[list] ?? []).flatMap((container, index) =>
      imageSpaceErrors(container, path.child(list).index(index)),
    ),
  );
}

function imageSpaceErrors({ image = '' }: Container, path: FieldPath): FieldError[] {
  return image === image.trim()
    ? []
    : [invalidField(path.child('image'), image, 'must not have leading or trailing whitespace')];
}

function repeatedNameErrors({ name = '' }: Container, names: Set<string>, path: FieldPath): FieldError[] {
  if (name !== '' && names.has(name)) return [duplicateField(path.child('name'), name)];
  names.add(name);
  return [];
}

/** Validates the fields common to all kinds of containers. */
function containerErrors(container: Container, volumes: PodVolumes, path: FieldPath): FieldError[] {
  const { name = '' } = container;
  return [
    ...(name === ''
      ? [requiredField(path.child('name'))]
      : validateDnsLabel(name).map(message => invalidField(path.child('name'), name, message))),
    ...((container.image ?? '') === '' ? [requiredField(path.child('image'))] : []),
    ...((container.imagePullPolicy ?? '') === '' ? [requiredField(path.child('imagePullPolicy'))] : []),
    ...containerPortErrors(container.ports ?? [], path.child('ports')),
    ...environmentErrors(container, path),
    ...volumeUseErrors(container, volumes, path),
    ...resourceErrors(container.resources ?? {}, path.child('resources')),
    ...securityContextErrors(container.securityContext ?? {}, path.child('securityContext')),
  ];
}

/** Validates probes and lifecycle hooks of a container. */
function watchedErrors(container: Container, path: FieldPath): FieldError[] {
  return [
    ...probes.flatMap(probe => {
      const settings = container[probe];
      return settings
        ? probeErrors(settings, { path: path.child(probe), isReadiness: probe === 'readinessProbe' })
        : [];
    }),
    ...lifecycleErrors(container.lifecycle ?? {}, path.child('lifecycle')),
  ];
}

/** Init containers run to completion before the others start and must not have probes or lifecycle hooks. */
function initContainerErrors(container: Container, path: FieldPath): FieldError[] {
  return (['lifecycle', ...probes] as const)
    .filter(field => container[field] !== undefined)
    .map(field => forbiddenField(path.child(field), 'may not be set for init containers'));
}

/** Fields that an ephemeral container must not have, because they affect the placement or lifecycle of the pod. */
const forbiddenFields = [
  'ports',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
  'resources',
] as const satisfies readonly (keyof EphemeralContainer)[];

const forbidden = 'cannot be set for an Ephemeral Container';

/** Validates the rules specific to ephemeral containers; `targets` are the names of the pod's other containers. */
function ephemeralContainerErrors(
  container: EphemeralContainer,
  targets: ReadonlySet<string>,
  path: FieldPath,
): FieldError[] {
  const target = container.targetContainerName ?? '';
  return [
    ...(target === '' || targets.has(target)
      ? []
      : [notFoundField(path.child('targetContainerName'), target)]),
    ...forbiddenFields
      .filter(field => !isUnset(container[field]))
      .map(field => forbiddenField(path.child(field), forbidden)),
    ...(container.volumeMounts ?? []).flatMap((mount, index) =>
      (['subPath', 'subPathExpr'] as const)
        .filter(field => (mount[field] ?? '') !== '')
        .map(field => forbiddenField(path.child('volumeMounts').index(index).child(field), forbidden)),
    ),
  ];
}

function isUnset(value: unknown): boolean {
  return (
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  );
}
