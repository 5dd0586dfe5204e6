import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
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

/** The findings about a volume that is put together from several sources: each complete, no file twice. */
export function projectedErrors(source: ProjectedVolumeSource, path: FieldPath): FieldError[] {
  const files = new Set<string>();
  return [
    ...fileModeErrors(source.defaultMode, path.child('defaultMode')),
    ...(source.sources ?? []).flatMap((projection, index) =>
      projectionErrors(projection, path.child('sources').index(index), files),
    ),
  ];
}

/** The findings about the keys that become files, of a secret or a config map. */
export function keyFilesErrors(items: readonly KeyToPath[], path: FieldPath): FieldError[] {
  return items.flatMap((item, index) => {
    const at = path.child('items').index(index);
    return [
      ...filePathErrors(item.path ?? '', at.child('path')),
      ...fileModeErrors(item.mode, at.child('mode')),
    ];
  });
}

function projectionErrors(projection: VolumeProjection, path: FieldPath, files: Set<string>): FieldError[] {
  const present = projections.filter(kind => projection[kind] !== undefined);
  if (present.length === 0) return [requiredField(path, 'must specify a volume type')];
  return present.flatMap((kind, index) => {
    const at = path.child(kind);
    if (index > 0) return [forbiddenField(at, 'may not specify more than 1 volume type')];
    return [...contentErrors(projection, kind, at), ...conflictErrors(pathsOf(projection, kind), at, files)];
  });
}

type Projection = (typeof projections)[number];

function contentErrors(projection: VolumeProjection, kind: Projection, path: FieldPath): FieldError[] {
  switch (kind) {
    case 'downwardAPI':
      return (projection.downwardAPI?.items ?? []).flatMap((item, index) =>
        downwardFileErrors(item, path.child('items').index(index)),
      );
    case 'serviceAccountToken':
      return tokenErrors(projection.serviceAccountToken ?? {}, path);
    default: {
      const { name = '', items = [] } = projection[kind] ?? {};
      return [...(name === '' ? [requiredField(path.child('name'))] : []), ...keyFilesErrors(items, path)];
    }
  }
}

function tokenErrors(source: ServiceAccountTokenProjection, path: FieldPath): FieldError[] {
  const errors = filePathErrors(source.path ?? '', path.child('path'));
  const seconds = source.expirationSeconds;
  const at = path.child('expirationSeconds');
  if (typeof seconds === 'number' && seconds < shortestToken)
    errors.push(invalidField(at, seconds, 'may not specify a duration less than 10 minutes'));
  if (typeof seconds === 'number' && seconds > longestToken)
    errors.push(invalidField(at, seconds, 'may not specify a duration larger than 2^32 seconds'));
  return errors;
}

function pathsOf(projection: VolumeProjection, kind: Projection): string[] {
  if (kind === 'serviceAccountToken') return [projection.serviceAccountToken?.path ?? ''];
  return (projection[kind]?.items ?? []).map(item => item.path ?? '');
}

function conflictErrors(paths: readonly string[], path: FieldPath, files: Set<string>): FieldError[] {
  return paths.flatMap(file => {
    if (file !== '' && files.has(file)) return [invalidField(path, file, 'conflicting duplicate paths')];
    files.add(file);
    return [];
  });
}
