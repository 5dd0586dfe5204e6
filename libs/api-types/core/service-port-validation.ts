import {
  duplicateField,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidField,
  type JsonObject,
  type JsonValue,
  requiredField,
  validateDnsLabel,
  validatePortName,
  validatePortNumber,
  validateQualifiedName,
} from '@binnacle/api-objects';
import { asNumber, asText } from '../values/json-access.ts';
import { portsOf } from './service-facts.ts';

/** The findings about the ports of a service: each by itself, then what occurs twice. */
export function servicePortErrors(spec: JsonObject): FieldError[] {
  const path = fieldPath('spec', 'ports');
  const ports = portsOf(spec);
  return [
    ...ports.flatMap((port, index) => portErrors(port, ports.length > 1, path.index(index))),
    ...nodePortErrors(ports, spec['type'], path),
    ...duplicates(ports, portKey).map(index => duplicateField(path.index(index), identity(ports[index]!))),
  ];
}

function portErrors(port: JsonObject, mustHaveName: boolean, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const name = asText(port['name']);
  if (name === '' && mustHaveName) errors.push(requiredField(path.child('name')));
  if (name !== '')
    errors.push(...validateDnsLabel(name).map(message => invalidField(path.child('name'), name, message)));
  const number = asNumber(port['port']);
  errors.push(
    ...validatePortNumber(number).map(message => invalidField(path.child('port'), number, message)),
  );
  if (asText(port['protocol']) === '') errors.push(requiredField(path.child('protocol')));
  errors.push(...targetErrors(port['targetPort'], path.child('targetPort')));
  const application = port['appProtocol'];
  if (typeof application === 'string')
    errors.push(
      ...validateQualifiedName(application).map(message =>
        invalidField(path.child('appProtocol'), application, message),
      ),
    );
  return errors;
}

function targetErrors(target: JsonValue | undefined, path: FieldPath): FieldError[] {
  if (target === undefined) return [];
  const messages =
    typeof target === 'string' ? validatePortName(target) : validatePortNumber(asNumber(target));
  return messages.map(message => invalidField(path, target, message));
}

function nodePortErrors(ports: readonly JsonObject[], type: unknown, path: FieldPath): FieldError[] {
  const names = duplicates(ports, port => asText(port['name'])).map(index =>
    duplicateField(path.index(index).child('name'), ports[index]!['name']),
  );
  if (type !== 'NodePort' && type !== 'LoadBalancer') {
    const forbidden = ports.flatMap((port, index) =>
      asNumber(port['nodePort']) === 0
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
    const nodePort = asNumber(port['nodePort']);
    return nodePort === 0 ? '' : `${nodePort}/${asText(port['protocol'])}`;
  });
  const refused = ports.flatMap((port, index) => {
    const at = path.index(index).child('nodePort');
    const nodePort = asNumber(port['nodePort']);
    // A port that occurs twice is refused like one that another service holds.
    if (taken.includes(index)) return [invalidField(at, nodePort, 'provided port is already allocated')];
    return nodePort === 0
      ? []
      : validatePortNumber(nodePort).map(message => invalidField(at, nodePort, message));
  });
  return [...names, ...refused];
}

/** Indexes of ports whose key occurred before; the empty key never counts. */
function duplicates(ports: readonly JsonObject[], keyOf: (port: JsonObject) => string): number[] {
  const seen = new Set<string>();
  return ports.flatMap((port, index) => {
    const key = keyOf(port);
    if (key === '') return [];
    if (seen.has(key)) return [index];
    seen.add(key);
    return [];
  });
}

function portKey(port: JsonObject): string {
  return `${asNumber(port['port'])}/${asText(port['protocol'])}`;
}

function identity(port: JsonObject): JsonObject {
  return { protocol: port['protocol'] ?? '', port: port['port'] ?? 0 };
}
