import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  type JsonObject,
  requiredField,
} from '@binnacle/api-objects';
import { asObject, asObjects, asText } from '../values/json-access.ts';
import { csiDriverNameErrors } from './csi-driver-name.ts';
import { downwardFileErrors } from './downward-api-validation.ts';
import { persistentVolumeClaimSpecErrors } from './persistent-volume-claim-validation.ts';
import { keyFilesErrors, projectedErrors } from './projected-volume-validation.ts';
import { amountOf } from './standard-resources.ts';
import { fileModeErrors } from './volume-file-validation.ts';
import { descendingPathErrors, volumeSourceErrors } from './volume-source-validation.ts';

/** The findings about the source of a pod's volume; `kind` is the field that it stands in. */
export function podVolumeSourceErrors(kind: string, source: JsonObject, path: FieldPath): FieldError[] {
  switch (kind) {
    case 'configMap':
      return [
        ...(asText(source['name']) === '' ? [requiredField(path.child('name'))] : []),
        ...fileModeErrors(source['defaultMode'], path.child('defaultMode')),
        ...keyFilesErrors(source, path),
      ];
    case 'secret':
      return [
        ...fileModeErrors(source['defaultMode'], path.child('defaultMode')),
        ...keyFilesErrors(source, path),
      ];
    case 'downwardAPI':
      return [
        ...fileModeErrors(source['defaultMode'], path.child('defaultMode')),
        ...asObjects(source['items']).flatMap((item, index) =>
          downwardFileErrors(item, path.child('items').index(index)),
        ),
      ];
    case 'projected':
      return projectedErrors(source, path);
    case 'emptyDir':
      return (amountOf(source['sizeLimit'])?.nanos ?? 0n) < 0n
        ? [forbiddenField(path.child('sizeLimit'), 'must be greater than or equal to 0')]
        : [];
    case 'gitRepo':
      return descendingPathErrors(asText(source['directory']), path.child('directory'));
    case 'csi':
      return asText(source['driver']) === ''
        ? []
        : [...csiDriverNameErrors(asText(source['driver']), path.child('driver')), ...secretErrors()];
    case 'ephemeral':
      return ephemeralErrors(source, path);
    case 'azureDisk':
      return azureDiskErrors(source, path);
    default:
      return volumeSourceErrors(kind, source, path);
  }

  function secretErrors(): FieldError[] {
    const secret = asObject(source['nodePublishSecretRef']);
    if (!secret || asText(secret['name']) !== '') return [];
    return [requiredField(path.child('nodePublishSecretRef', 'name'))];
  }
}

function ephemeralErrors(source: JsonObject, path: FieldPath): FieldError[] {
  const at = path.child('volumeClaimTemplate');
  const template = asObject(source['volumeClaimTemplate']);
  if (!template) return [requiredField(at)];
  return persistentVolumeClaimSpecErrors(asObject(template['spec']) ?? {}, at.child('spec'));
}

/** A disk that is managed is named by its path in the resource tree, another one by its address. */
function azureDiskErrors(source: JsonObject, path: FieldPath): FieldError[] {
  const uri = asText(source['diskURI']);
  const isManaged = source['kind'] === 'Managed';
  const begin = isManaged ? '/subscriptions/' : 'https://';
  return uri === '' || uri.startsWith(begin)
    ? []
    : [invalidField(path.child('diskURI'), uri, `must begin with ${begin} for this kind of disk`)];
}
