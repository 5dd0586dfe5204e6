import {
  type ApiObject,
  equalJson,
  type FieldError,
  fieldPath,
  forbiddenField,
  invalidField,
  requiredField,
  tooLongField,
  validateDnsSubdomain,
} from '@binnacle/api-objects';
import { csiDriverNameErrors } from '../core/csi-driver-name.ts';
import { inlineVolumeErrors } from '../core/persistent-volume-validation.ts';
import { specOf } from '../core/service-facts.ts';
import type { KindRules } from '../definitions/definitions.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';
import { asObject, asText } from '../values/json-access.ts';

/** The rules of VolumeAttachment objects: what is attached where stays as created, the status says how far it is. */
export const volumeAttachmentRules: KindRules = {
  unconditionalUpdate: false,
  returnsDeletedObject: true,
  prepareForCreate(object) {
    object['status'] = { attached: false };
  },
  validate,
  validateUpdate: (object, old, subresource) =>
    subresource === 'status' ? statusErrors(object) : immutableSpecErrors(object, old),
  columns: [
    nameColumn,
    column('Attacher', 'The driver that attaches the volume.', { format: 'name' }),
    column('PV', 'The persistent volume.'),
    column('Node', 'The node that the volume is attached to.'),
    column('Attached', 'Whether the volume is attached.', { type: 'boolean' }),
    ageColumn,
  ],
  cells: (object, now) => {
    const spec = specOf(object);
    return [
      nameOf(object),
      asText(spec['attacher']),
      asText(asObject(spec['source'])?.['persistentVolumeName']),
      asText(spec['nodeName']),
      asObject(object['status'])?.['attached'] === true,
      ageOf(object, now),
    ];
  },
};

const longestMessage = 1024;
const metadataLimit = 256 * 1024;

function validate(object: ApiObject): FieldError[] {
  const path = fieldPath('spec');
  const spec = specOf(object);
  const attacher = asText(spec['attacher']);
  const nodeName = asText(spec['nodeName']);
  return [
    ...(attacher === ''
      ? [requiredField(path.child('attacher'))]
      : csiDriverNameErrors(attacher, path.child('attacher'))),
    ...sourceErrors(object),
    ...validateDnsSubdomain(nodeName).map(message => invalidField(path.child('nodeName'), nodeName, message)),
    ...statusErrors(object),
  ];
}

/** Exactly one of a volume's name and a volume's specification says what to attach. */
function sourceErrors(object: ApiObject): FieldError[] {
  const path = fieldPath('spec', 'source');
  const source = asObject(specOf(object)['source']) ?? {};
  const volume = asObject(source['inlineVolumeSpec']);
  const name = source['persistentVolumeName'];
  if (!volume && typeof name !== 'string')
    return [requiredField(path, 'must specify exactly one of `inlineVolumeSpec` and `persistentVolumeName`')];
  if (volume && typeof name === 'string')
    return [
      forbiddenField(path, 'must specify exactly one of `inlineVolumeSpec` and `persistentVolumeName`'),
    ];
  if (volume) return inlineVolumeErrors(volume, path.child('inlineVolumeSpec'));
  if (asText(name) === '') return [requiredField(path.child('persistentVolumeName'))];
  return validateDnsSubdomain(asText(name)).map(message =>
    invalidField(path.child('persistentVolumeName'), name, message),
  );
}

function statusErrors(object: ApiObject): FieldError[] {
  const path = fieldPath('status');
  const status = asObject(object['status']) ?? {};
  const metadata = Object.entries(asObject(status['attachmentMetadata']) ?? {});
  const size = metadata.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(asText(value)),
    0,
  );
  return [
    ...(size > metadataLimit ? [tooLongField(path.child('attachmentMetadata'), '', metadataLimit)] : []),
    ...['attachError', 'detachError']
      .filter(field => asText(asObject(status[field])?.['message']).length > longestMessage)
      .map(field => tooLongField(path.child(field, 'message'), '', longestMessage)),
  ];
}

function immutableSpecErrors(object: ApiObject, old: ApiObject): FieldError[] {
  if (equalJson(object['spec'] ?? null, old['spec'] ?? null)) return [];
  return [invalidField('spec', object['spec'] ?? null, 'field is immutable')];
}
