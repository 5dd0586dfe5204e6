import {
  duplicateField,
  type FieldError,
  type FieldPath,
  invalidField,
  requiredField,
  validatePortName,
  validatePortNumber,
} from '@binnacle/api-objects';
import type { Container, ContainerPort } from '../../../generated/core/v1.ts';

/** Validates the ports of one container. */
export function containerPortErrors(ports: readonly ContainerPort[], path: FieldPath): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const at = path.index(index);
    const errors: FieldError[] = [];
    const name = port.name ?? '';
    if (name !== '') {
      const messages = validatePortName(name);
      errors.push(...messages.map(message => invalidField(at.child('name'), name, message)));
      if (messages.length === 0 && names.has(name)) errors.push(duplicateField(at.child('name'), name));
      if (messages.length === 0) names.add(name);
    }
    const number = port.containerPort ?? 0;
    if (number === 0) errors.push(requiredField(at.child('containerPort')));
    else
      errors.push(...validatePortNumber(number).map(m => invalidField(at.child('containerPort'), number, m)));
    const hostPort = port.hostPort ?? 0;
    if (hostPort !== 0)
      errors.push(...validatePortNumber(hostPort).map(m => invalidField(at.child('hostPort'), hostPort, m)));
    return errors;
  });
}

/** Validates the ports of containers in the host network, where container port and host port must be equal. */
export function hostNetworkPortErrors(ports: readonly ContainerPort[], path: FieldPath): FieldError[] {
  return ports.flatMap((port, index) =>
    port.hostPort === port.containerPort
      ? []
      : [
          invalidField(
            path.index(index).child('containerPort'),
            port.containerPort ?? null,
            'must match `hostPort` when `hostNetwork` is true',
          ),
        ],
  );
}

/** Reports host ports that are used twice by containers that run at the same time. */
export function hostPortConflicts(containers: readonly Container[], path: FieldPath): FieldError[] {
  const taken = new Set<string>();
  return containers.flatMap((container, index) =>
    (container.ports ?? []).flatMap((port, position) => {
      const hostPort = port.hostPort ?? 0;
      if (hostPort === 0) return [];
      const key = `${port.protocol ?? ''}/${port.hostIP ?? ''}/${hostPort}`;
      if (taken.has(key))
        return [duplicateField(path.index(index).child('ports').index(position).child('hostPort'), key)];
      taken.add(key);
      return [];
    }),
  );
}
