import { type FieldError, type FieldPath, forbiddenField, notFoundField } from '@binnacle/api-objects';
import type { EphemeralContainer } from '../../../generated/core/v1.ts';

/** Fields that decide on the place and the life of a pod: a container that is added later cannot change these. */
const forbiddenFields = [
  'ports',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
  'resources',
] as const satisfies readonly (keyof EphemeralContainer)[];

const forbidden = 'cannot be set for an Ephemeral Container';

/** The findings about what sets an ephemeral container apart; `targets` are the names of the pod's other containers. */
export function ephemeralContainerErrors(
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
