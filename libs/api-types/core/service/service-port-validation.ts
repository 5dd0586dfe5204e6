import {
  duplicateField,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidField,
  type JsonObject,
  requiredField,
  validateDnsLabel,
  validatePortName,
  validatePortNumber,
  validateQualifiedName,
} from '@binnacle/api-objects';
import type { ServicePort, ServiceSpec } from '../../generated/core/v1.ts';
import { readPorts } from './service-facts.ts';

/** The kubelet port, which a load balancer must not expose. */
const agentPort = 10250;

/** Validates the ports of a service: each port, then duplicates. */
export function servicePortErrors(spec: ServiceSpec): FieldError[] {
  const path = fieldPath('spec', 'ports');
  const ports = readPorts(spec);
  return [
    ...ports.flatMap((port, index) => portErrors(port, ports.length > 1, path.index(index))),
    ...ports.flatMap((port, index) =>
      spec.type === 'LoadBalancer' && port.port === agentPort
        ? [invalidField(path.index(index), agentPort, `may not expose port ${agentPort} externally`)]
        : [],
    ),
    ...nodePortErrors(ports, spec.type, path),
    ...duplicates(ports, portKey).map(index => duplicateField(path.index(index), identity(ports[index]!))),
  ];
}

function portErrors(port: ServicePort, mustHaveName: boolean, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const name = port.name ?? '';
  if (name === '' && mustHaveName) errors.push(requiredField(path.child('name')));
  if (name !== '')
    errors.push(...validateDnsLabel(name).map(message => invalidField(path.child('name'), name, message)));
  const number = port.port ?? 0;
  errors.push(
    ...validatePortNumber(number).map(message => invalidField(path.child('port'), number, message)),
  );
  if ((port.protocol ?? '') === '') errors.push(requiredField(path.child('protocol')));
  errors.push(...targetErrors(port.targetPort, path.child('targetPort')));
  const application = port.appProtocol;
  if (application !== undefined)
    errors.push(
      ...validateQualifiedName(application).map(message =>
        invalidField(path.child('appProtocol'), application, message),
      ),
    );
  return errors;
}

function targetErrors(target: ServicePort['targetPort'], path: FieldPath): FieldError[] {
  if (target === undefined) return [];
  const messages = typeof target === 'string' ? validatePortName(target) : validatePortNumber(target);
  return messages.map(message => invalidField(path, target, message));
}

function nodePortErrors(
  ports: readonly ServicePort[],
  type: ServiceSpec['type'],
  path: FieldPath,
): FieldError[] {
  const names = duplicates(ports, port => port.name ?? '').map(index =>
    duplicateField(path.index(index).child('name'), ports[index]?.name),
  );
  if (type !== 'NodePort' && type !== 'LoadBalancer') {
    const forbidden = ports.flatMap((port, index) =>
      (port.nodePort ?? 0) === 0
        ? []
        : [
            forbiddenField(
              path.index(index).child('nodePort'),
              `may not be used when \`type\` is '${String(type)}'`,
            ),
          ],
    );
    return [...names, ...forbidden];
  }
  const taken = duplicates(ports, port => {
    const nodePort = port.nodePort ?? 0;
    return nodePort === 0 ? '' : `${nodePort}/${port.protocol ?? ''}`;
  });
  const refused = ports.flatMap((port, index) => {
    const at = path.index(index).child('nodePort');
    const nodePort = port.nodePort ?? 0;
    // A duplicate port is reported like one that another service has allocated.
    if (taken.includes(index)) return [invalidField(at, nodePort, 'provided port is already allocated')];
    return nodePort === 0
      ? []
      : validatePortNumber(nodePort).map(message => invalidField(at, nodePort, message));
  });
  return [...names, ...refused];
}

/** Returns the indexes of ports with a duplicate key; empty keys are ignored. */
function duplicates(ports: readonly ServicePort[], keyOf: (port: ServicePort) => string): number[] {
  const seen = new Set<string>();
  return ports.flatMap((port, index) => {
    const key = keyOf(port);
    if (key === '') return [];
    if (seen.has(key)) return [index];
    seen.add(key);
    return [];
  });
}

function portKey(port: ServicePort): string {
  return `${port.port ?? 0}/${port.protocol ?? ''}`;
}

function identity(port: ServicePort): JsonObject {
  return { protocol: port.protocol ?? '', port: port.port ?? 0 };
}
