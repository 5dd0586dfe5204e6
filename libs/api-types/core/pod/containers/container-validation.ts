import {
  duplicateField,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  requiredField,
  validateDnsLabel,
} from '@binnacle/api-objects';
import type { Container, PodSpec } from '../../../generated/core/v1.ts';
import { resourceErrors } from '../../resource-amounts/resource-amount-validation.ts';
import { podVolumesOf, volumeUseErrors } from '../volumes/volume-mount-validation.ts';
import {
  containerPortErrors,
  hostNetworkPortErrors,
  hostPortConflicts,
} from './container-port-validation.ts';
import { environmentErrors } from './environment-validation.ts';
import { lifecycleErrors, probeErrors } from './probe-validation.ts';
import { securityContextErrors } from './security-context-validation.ts';

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;

/** The findings about all containers of a pod's spec, names unique across the lists. */
export function containersErrors(
  spec: PodSpec,
  path: FieldPath,
  furtherClaims: readonly string[],
): FieldError[] {
  const errors: FieldError[] = [];
  if ((spec.containers ?? []).length === 0) errors.push(requiredField(path.child('containers')));
  const volumes = podVolumesOf(spec, furtherClaims);
  const names = new Set<string>();
  for (const list of ['containers', 'initContainers'] as const) {
    for (const [index, container] of (spec[list] ?? []).entries()) {
      const at = path.child(list).index(index);
      errors.push(...containerErrors(container, at), ...volumeUseErrors(container, volumes, at));
      if (list === 'initContainers') errors.push(...initContainerErrors(container, at));
      if (spec.hostNetwork === true)
        errors.push(...hostNetworkPortErrors(container.ports ?? [], at.child('ports')));
      const name = container.name ?? '';
      if (name !== '' && names.has(name)) errors.push(duplicateField(at.child('name'), name));
      names.add(name);
    }
  }
  // Init containers run one after another and never beside the others.
  errors.push(...hostPortConflicts(spec.containers ?? [], path.child('containers')));
  return errors;
}

/** The findings about a container that joins those of a pod's spec: it stands at `path`, which ends with its index. */
export function addedContainerErrors(container: Container, spec: PodSpec, path: FieldPath): FieldError[] {
  const name = container.name ?? '';
  const lists = ['containers', 'initContainers', 'ephemeralContainers'] as const;
  const named = lists.flatMap(list => spec[list] ?? []).filter(other => (other.name ?? '') === name);
  return [
    ...containerErrors(container, path),
    ...volumeUseErrors(container, podVolumesOf(spec), path),
    ...(name !== '' && named.length > 1 ? [duplicateField(path.child('name'), name)] : []),
  ];
}

function containerErrors(container: Container, path: FieldPath): FieldError[] {
  const name = container.name ?? '';
  const image = container.image ?? '';
  const errors: FieldError[] = [];
  if (name === '') errors.push(requiredField(path.child('name')));
  else errors.push(...validateDnsLabel(name).map(message => invalidField(path.child('name'), name, message)));
  if (image === '') errors.push(requiredField(path.child('image')));
  else if (image !== image.trim())
    errors.push(invalidField(path.child('image'), image, 'must not have leading or trailing spaces'));
  if ((container.imagePullPolicy ?? '') === '') errors.push(requiredField(path.child('imagePullPolicy')));
  errors.push(...containerPortErrors(container.ports ?? [], path.child('ports')));
  errors.push(...environmentErrors(container, path));
  for (const probe of probes) {
    const settings = container[probe];
    if (settings)
      errors.push(
        ...probeErrors(settings, { path: path.child(probe), isReadiness: probe === 'readinessProbe' }),
      );
  }
  errors.push(...lifecycleErrors(container.lifecycle ?? {}, path.child('lifecycle')));
  errors.push(...resourceErrors(container.resources ?? {}, path.child('resources')));
  errors.push(...securityContextErrors(container.securityContext ?? {}, path.child('securityContext')));
  return errors;
}

/** Init containers run to their end before the others start: nothing watches them. */
function initContainerErrors(container: Container, path: FieldPath): FieldError[] {
  return (['lifecycle', ...probes] as const)
    .filter(field => container[field] !== undefined)
    .map(field => forbiddenField(path.child(field), 'may not be set for init containers'));
}
