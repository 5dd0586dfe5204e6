import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  isNumber,
  requiredField,
} from '@binnacle/api-objects';
import type {
  KeyToPath,
  ProjectedVolumeSource,
  ServiceAccountTokenProjection,
  VolumeProjection,
} from '../../../generated/core/v1.ts';
import { fileModeErrors, filePathErrors } from '../../volume/volume-file-validation.ts';
import { downwardFileErrors } from './downward-api-validation.ts';

const projections = ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken'] as const;
const shortestToken = 10 * 60;
const longestToken = 2 ** 32;

/** Validates a projected volume: complete sources, no duplicate files. */
export function projectedErrors(source: ProjectedVolumeSource, path: FieldPath): FieldError[] {
  const files = new Set<string>();
  return [
    ...fileModeErrors(source.defaultMode, path.child('defaultMode')),
    ...(source.sources ?? []).flatMap((projection, index) => [
      ...projectionErrors(projection, path, index),
      ...conflictErrors(projection, path, files),
    ]),
  ];
}

/** Validates the keys of a Secret or ConfigMap that become files. */
export function keyFilesErrors(items: readonly KeyToPath[], path: FieldPath): FieldError[] {
  return items.flatMap((item, index) => {
    const at = path.child('items').index(index);
    return [
      ...filePathErrors(item.path ?? '', at.child('path')),
      ...fileModeErrors(item.mode, at.child('mode')),
    ];
  });
}

function projectionErrors(projection: VolumeProjection, path: FieldPath, index: number): FieldError[] {
  const at = path.child('sources').index(index);
  const present = projections.filter(kind => projection[kind] !== undefined);
  return [
    ...present.flatMap(kind =>
      kind === 'serviceAccountToken'
        ? tokenErrors(projection.serviceAccountToken ?? {}, path, at.child(kind))
        : contentErrors(projection, kind, at.child(kind)),
    ),
    ...(present.length > 1 ? [forbiddenField(at, 'may not specify more than 1 volume type')] : []),
  ];
}

type FileProjection = Exclude<(typeof projections)[number], 'serviceAccountToken'>;

function contentErrors(projection: VolumeProjection, kind: FileProjection, path: FieldPath): FieldError[] {
  if (kind === 'downwardAPI')
    return (projection.downwardAPI?.items ?? []).flatMap(item => downwardFileErrors(item, path));
  const { name = '', items = [] } = projection[kind] ?? {};
  return [...(name === '' ? [requiredField(path.child('name'))] : []), ...keyFilesErrors(items, path)];
}

/** kube-apiserver reports a missing path at the volume, an invalid lifetime at the token. */
function tokenErrors(
  source: ServiceAccountTokenProjection,
  volume: FieldPath,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const seconds = source.expirationSeconds;
  const at = path.child('expirationSeconds');
  if (isNumber(seconds) && seconds < shortestToken)
    errors.push(invalidField(at, seconds, 'may not specify a duration less than 10 minutes'));
  if (isNumber(seconds) && seconds > longestToken)
    errors.push(invalidField(at, seconds, 'may not specify a duration larger than 2^32 seconds'));
  if ((source.path ?? '') === '') errors.push(requiredField(volume.child('path')));
  return errors;
}

/** Reports files that two sources contain, at the path of the second source. */
function conflictErrors(projection: VolumeProjection, path: FieldPath, files: Set<string>): FieldError[] {
  return (['secret', 'configMap', 'downwardAPI'] as const).flatMap(kind =>
    (projection[kind]?.items ?? []).flatMap(({ path: file = '' }) => {
      if (file === '') return [];
      const name = kind === 'downwardAPI' ? file : projection[kind]?.name;
      if (files.has(file)) return [invalidField(path, name, 'conflicting duplicate paths')];
      files.add(file);
      return [];
    }),
  );
}
