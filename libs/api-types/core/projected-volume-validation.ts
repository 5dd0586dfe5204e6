import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  type JsonObject,
  requiredField,
} from '@binnacle/api-objects';
import { asObject, asObjects, asText } from '../values/json-access.ts';
import { downwardFileErrors } from './downward-api-validation.ts';
import { fileModeErrors, filePathErrors } from './volume-file-validation.ts';

const projections = ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken'];
const shortestToken = 10 * 60;
const longestToken = 2 ** 32;

/** The findings about a volume that is put together from several sources: each complete, no file twice. */
export function projectedErrors(source: JsonObject, path: FieldPath): FieldError[] {
  const files = new Set<string>();
  return [
    ...fileModeErrors(source['defaultMode'], path.child('defaultMode')),
    ...asObjects(source['sources']).flatMap((projection, index) =>
      projectionErrors(projection, path.child('sources').index(index), files),
    ),
  ];
}

/** The findings about the keys that become files, of a secret or a config map. */
export function keyFilesErrors(source: JsonObject, path: FieldPath): FieldError[] {
  return asObjects(source['items']).flatMap((item, index) => {
    const at = path.child('items').index(index);
    return [
      ...filePathErrors(asText(item['path']), at.child('path')),
      ...fileModeErrors(item['mode'], at.child('mode')),
    ];
  });
}

function projectionErrors(projection: JsonObject, path: FieldPath, files: Set<string>): FieldError[] {
  const present = projections.filter(kind => asObject(projection[kind]) !== undefined);
  if (present.length === 0) return [requiredField(path, 'must specify a volume type')];
  return present.flatMap((kind, index) => {
    const at = path.child(kind);
    if (index > 0) return [forbiddenField(at, 'may not specify more than 1 volume type')];
    const source = asObject(projection[kind]) ?? {};
    return [...contentErrors(kind, source, at), ...conflictErrors(pathsOf(kind, source), at, files)];
  });
}

function contentErrors(kind: string, source: JsonObject, path: FieldPath): FieldError[] {
  switch (kind) {
    case 'downwardAPI':
      return asObjects(source['items']).flatMap((item, index) =>
        downwardFileErrors(item, path.child('items').index(index)),
      );
    case 'serviceAccountToken':
      return tokenErrors(source, path);
    default:
      return [
        ...(asText(source['name']) === '' ? [requiredField(path.child('name'))] : []),
        ...keyFilesErrors(source, path),
      ];
  }
}

function tokenErrors(source: JsonObject, path: FieldPath): FieldError[] {
  const errors = filePathErrors(asText(source['path']), path.child('path'));
  const seconds = source['expirationSeconds'];
  const at = path.child('expirationSeconds');
  if (typeof seconds === 'number' && seconds < shortestToken)
    errors.push(invalidField(at, seconds, 'may not specify a duration less than 10 minutes'));
  if (typeof seconds === 'number' && seconds > longestToken)
    errors.push(invalidField(at, seconds, 'may not specify a duration larger than 2^32 seconds'));
  return errors;
}

function pathsOf(kind: string, source: JsonObject): string[] {
  if (kind === 'serviceAccountToken') return [asText(source['path'])];
  return asObjects(source['items']).map(item => asText(item['path']));
}

function conflictErrors(paths: readonly string[], path: FieldPath, files: Set<string>): FieldError[] {
  return paths.flatMap(file => {
    if (file !== '' && files.has(file)) return [invalidField(path, file, 'conflicting duplicate paths')];
    files.add(file);
    return [];
  });
}
