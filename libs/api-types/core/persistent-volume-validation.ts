import { posix } from 'node:path';
import {
  type ApiObject,
  equalJson,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidField,
  type JsonObject,
  notSupportedField,
  requiredField,
  validateDnsSubdomain,
} from '@binnacle/api-objects';
import { asObject, asText, asTexts } from '../values/json-access.ts';
import { accessModeErrors } from './access-mode-validation.ts';
import { nodeSelectorErrors } from './node-selector-validation.ts';
import {
  persistentVolumeSourceErrors,
  persistentVolumeSources,
} from './persistent-volume-source-validation.ts';
import { specOf } from './service-facts.ts';
import { amountOf } from './standard-resources.ts';

const spec$ = fieldPath('spec');

/** The findings about a persistent volume; closed sets of values are checked elsewhere. */
export function persistentVolumeErrors(object: ApiObject): FieldError[] {
  const spec = specOf(object);
  const className = asText(spec['storageClassName']);
  const affinity = asObject(asObject(spec['nodeAffinity'])?.['required']);
  return [
    ...accessModeErrors(asTexts(spec['accessModes']), spec$.child('accessModes')),
    ...capacityErrors(spec),
    ...nodeAffinityErrors(spec),
    ...persistentVolumeSourceErrors(spec, spec$),
    ...(asObject(spec['local']) && !affinity
      ? [requiredField(spec$.child('nodeAffinity'), 'Local volume requires node affinity')]
      : []),
    ...recyclingErrors(spec),
    ...(className === ''
      ? []
      : validateDnsSubdomain(className).map(message =>
          invalidField(spec$.child('storageClassName'), className, message),
        )),
  ];
}

/** The findings about the volume that an attachment brings along: a driver's volume, bound to nothing. */
export function inlineVolumeErrors(spec: JsonObject, path: FieldPath): FieldError[] {
  const inline = 'may not be specified in the context of inline volumes';
  const policy = asText(spec['persistentVolumeReclaimPolicy']);
  return [
    ...['claimRef', 'capacity', 'nodeAffinity', 'storageClassName']
      .filter(field => spec[field] !== undefined && spec[field] !== '')
      .map(field => forbiddenField(path.child(field), inline)),
    ...(asObject(spec['csi'])
      ? []
      : [requiredField(path.child('csi'), 'has to be specified in the context of inline volumes')]),
    ...(policy === '' || policy === 'Retain'
      ? []
      : [
          forbiddenField(
            path.child('persistentVolumeReclaimPolicy'),
            "may only be 'Retain' for inline volumes",
          ),
        ]),
    ...(spec['volumeMode'] === 'Block'
      ? [forbiddenField(path.child('volumeMode'), "may only be 'Filesystem' for inline volumes")]
      : []),
    ...accessModeErrors(asTexts(spec['accessModes']), path.child('accessModes')),
    ...persistentVolumeSourceErrors(spec, path),
  ];
}

/** The findings about an update of a volume: its source, its mode and where it can be used stay. */
export function persistentVolumeUpdateErrors(
  object: ApiObject,
  old: ApiObject,
  subresource: string,
): FieldError[] {
  if (subresource !== '') return [];
  const [spec, before] = [specOf(object), specOf(old)];
  const changed = (field: string) => !equalJson(spec[field] ?? null, before[field] ?? null);
  const errors: FieldError[] = [];
  if (persistentVolumeSources().some(changed) && !onlyAddsExpansionSecret(spec, before))
    errors.push(
      forbiddenField(
        spec$.child('persistentvolumesource'),
        'spec.persistentvolumesource is immutable after creation',
      ),
    );
  if (changed('volumeMode'))
    errors.push(invalidField(spec$.child('volumeMode'), spec['volumeMode'] ?? null, 'field is immutable'));
  if (before['nodeAffinity'] !== undefined && changed('nodeAffinity'))
    errors.push(
      invalidField(spec$.child('nodeAffinity'), spec['nodeAffinity'] ?? null, 'field is immutable'),
    );
  return errors;
}

/** Volumes from before drivers needed a secret to grow may be given one. */
function onlyAddsExpansionSecret(spec: JsonObject, before: JsonObject): boolean {
  const [now, then] = [asObject(spec['csi']), asObject(before['csi'])];
  if (!now || !then || then['controllerExpandSecretRef'] !== undefined) return false;
  return equalJson({ ...now, controllerExpandSecretRef: null }, { ...then, controllerExpandSecretRef: null });
}

function capacityErrors(spec: JsonObject): FieldError[] {
  const path = spec$.child('capacity');
  const capacity = asObject(spec['capacity']) ?? {};
  const names = Object.keys(capacity);
  if (names.length === 0) return [requiredField(path)];
  return [
    ...(names.length === 1 && names[0] === 'storage' ? [] : [notSupportedField(path, capacity, ['storage'])]),
    ...names.flatMap(name => {
      const amount = amountOf(capacity[name]);
      return amount && amount.nanos <= 0n
        ? [invalidField(path.key(name), capacity[name], 'must be greater than zero')]
        : [];
    }),
  ];
}

function nodeAffinityErrors(spec: JsonObject): FieldError[] {
  const affinity = asObject(spec['nodeAffinity']);
  if (!affinity) return [];
  const path = spec$.child('nodeAffinity', 'required');
  const required = asObject(affinity['required']);
  return required
    ? nodeSelectorErrors(required, path)
    : [requiredField(path, 'must specify required node constraints')];
}

/** Emptying the root directory of a node is no way to reuse it. */
function recyclingErrors(spec: JsonObject): FieldError[] {
  const path = asText(asObject(spec['hostPath'])?.['path']);
  if (path === '' || posix.resolve('/', path) !== '/' || spec['persistentVolumeReclaimPolicy'] !== 'Recycle')
    return [];
  return [
    forbiddenField(
      spec$.child('persistentVolumeReclaimPolicy'),
      "may not be 'Recycle' for a hostPath mount of '/'",
    ),
  ];
}
