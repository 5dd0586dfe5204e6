import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  type JsonObject,
  type JsonValue,
  requiredField,
  validateHttpHeaderName,
  validatePortName,
  validatePortNumber,
} from '@binnacle/api-objects';
import { asList, asNumber, asObject, asObjects, asText } from '../values/json-access.ts';

const counters = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
];

/** The findings about a probe: one way to ask, counters that are not negative. */
export function probeErrors(
  probe: JsonObject,
  { path, isReadiness }: { readonly path: FieldPath; readonly isReadiness: boolean },
): FieldError[] {
  const errors = handlerErrors(probe, ['exec', 'httpGet', 'tcpSocket', 'grpc'], path);
  for (const counter of counters) {
    const value = asNumber(probe[counter]);
    if (value < 0)
      errors.push(invalidField(path.child(counter), value, 'must be greater than or equal to 0'));
  }
  if (!isReadiness && asNumber(probe['successThreshold']) !== 1)
    errors.push(invalidField(path.child('successThreshold'), probe['successThreshold'] ?? 0, 'must be 1'));
  const grace = probe['terminationGracePeriodSeconds'];
  if (typeof grace === 'number') {
    if (isReadiness)
      errors.push(
        invalidField(
          path.child('terminationGracePeriodSeconds'),
          grace,
          'must not be set for readinessProbes',
        ),
      );
    else if (grace <= 0)
      errors.push(invalidField(path.child('terminationGracePeriodSeconds'), grace, 'must be greater than 0'));
  }
  return errors;
}

/** The findings about the actions at start and stop of a container. */
export function lifecycleErrors(lifecycle: JsonObject, path: FieldPath): FieldError[] {
  return ['postStart', 'preStop'].flatMap(moment => {
    const handler = asObject(lifecycle[moment]);
    return handler ? handlerErrors(handler, ['exec', 'httpGet', 'tcpSocket'], path.child(moment)) : [];
  });
}

function handlerErrors(holder: JsonObject, kinds: readonly string[], path: FieldPath): FieldError[] {
  const present = kinds.filter(kind => asObject(holder[kind]) !== undefined);
  if (present.length === 0) return [requiredField(path, 'must specify a handler type')];
  return present.flatMap((kind, index) =>
    index === 0
      ? actionErrors(kind, asObject(holder[kind]) ?? {}, path.child(kind))
      : [forbiddenField(path.child(kind), 'may not specify more than 1 handler type')],
  );
}

function actionErrors(kind: string, action: JsonObject, path: FieldPath): FieldError[] {
  switch (kind) {
    case 'exec':
      return asList(action['command']).length === 0 ? [requiredField(path.child('command'))] : [];
    case 'httpGet':
      return [
        ...(asText(action['path']) === '' ? [requiredField(path.child('path'))] : []),
        ...portErrors(action['port'], path.child('port')),
        ...asObjects(action['httpHeaders']).flatMap((header, index) => {
          const name = asText(header['name']);
          const at = path.child('httpHeaders').index(index).child('name');
          return validateHttpHeaderName(name).map(message => invalidField(at, name, message));
        }),
      ];
    default:
      return portErrors(action['port'], path.child('port'));
  }
}

function portErrors(port: JsonValue | undefined, path: FieldPath): FieldError[] {
  const messages = typeof port === 'string' ? validatePortName(port) : validatePortNumber(asNumber(port));
  return messages.map(message => invalidField(path, port ?? 0, message));
}
