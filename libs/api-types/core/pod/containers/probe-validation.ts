import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  isNumber,
  requiredField,
  validateHttpHeaderName,
  validatePortName,
  validatePortNumber,
} from '@binnacle/api-objects';
import type { HTTPGetAction, Lifecycle, Probe } from '../../../generated/core/v1.ts';

const counters = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const satisfies readonly (keyof Probe)[];

const actions = ['exec', 'httpGet', 'tcpSocket', 'grpc'] as const satisfies readonly (keyof Probe)[];

type Action = (typeof actions)[number];

/** Validates a probe: exactly one handler, no negative counters. */
export function probeErrors(
  probe: Probe,
  { path, isReadiness }: { readonly path: FieldPath; readonly isReadiness: boolean },
): FieldError[] {
  const errors = handlerErrors(probe, path);
  for (const counter of counters) {
    const value = probe[counter] ?? 0;
    if (value < 0)
      errors.push(invalidField(path.child(counter), value, 'must be greater than or equal to 0'));
  }
  if (!isReadiness && (probe.successThreshold ?? 0) !== 1)
    errors.push(invalidField(path.child('successThreshold'), probe.successThreshold ?? 0, 'must be 1'));
  const grace = probe.terminationGracePeriodSeconds;
  if (isNumber(grace)) {
    if (isReadiness)
      errors.push(
        invalidField(
          path.child('terminationGracePeriodSeconds'),
          grace,
          'must not be set for readinessProbes',
        ),
      );
    if (grace <= 0)
      errors.push(invalidField(path.child('terminationGracePeriodSeconds'), grace, 'must be greater than 0'));
  }
  return errors;
}

/** Validates the lifecycle hooks of a container. */
export function lifecycleErrors(lifecycle: Lifecycle, path: FieldPath): FieldError[] {
  return (['postStart', 'preStop'] as const).flatMap(moment => {
    const handler = lifecycle[moment];
    return handler ? handlerErrors(handler, path.child(moment)) : [];
  });
}

function handlerErrors(handler: Pick<Probe, Action>, path: FieldPath): FieldError[] {
  const present = actions.filter(action => handler[action] !== undefined);
  if (present.length === 0) return [requiredField(path, 'must specify a handler type')];
  return present.flatMap((action, index) =>
    index === 0
      ? actionErrors(handler, action, path.child(action))
      : [forbiddenField(path.child(action), 'may not specify more than 1 handler type')],
  );
}

function actionErrors(handler: Pick<Probe, Action>, action: Action, path: FieldPath): FieldError[] {
  switch (action) {
    case 'exec':
      return (handler.exec?.command ?? []).length === 0 ? [requiredField(path.child('command'))] : [];
    case 'httpGet':
      return requestErrors(handler.httpGet ?? {}, path);
    default:
      return portErrors(handler[action]?.port, path.child('port'));
  }
}

function requestErrors(request: HTTPGetAction, path: FieldPath): FieldError[] {
  return [
    ...((request.path ?? '') === '' ? [requiredField(path.child('path'))] : []),
    ...portErrors(request.port, path.child('port')),
    // kube-apiserver reports a header name at the path of the list, without an index.
    ...(request.httpHeaders ?? []).flatMap(({ name = '' }) =>
      validateHttpHeaderName(name).map(message => invalidField(path.child('httpHeaders'), name, message)),
    ),
  ];
}

function portErrors(port: HTTPGetAction['port'], path: FieldPath): FieldError[] {
  const messages = typeof port === 'string' ? validatePortName(port) : validatePortNumber(port ?? 0);
  return messages.map(message => invalidField(path, port ?? 0, message));
}
