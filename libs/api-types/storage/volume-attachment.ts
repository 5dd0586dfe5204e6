import {
  equalJson,
  type FieldError,
  fieldPath,
  forbiddenField,
  invalidField,
  requiredField,
  tooLongField,
  validateDnsSubdomain,
} from '@binnacle/api-objects';
import { inlineVolumeErrors } from '../core/persistent-volume/persistent-volume-validation.ts';
import { csiDriverNameErrors } from '../core/volume/csi-driver-name.ts';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { VolumeAttachment } from '../generated/storage/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';

/** The rules of VolumeAttachment objects: the spec is immutable. */
export const volumeAttachmentRules: KindRules<VolumeAttachment> = {
  unconditionalUpdate: false,
  returnsDeletedObject: true,
  prepareForCreate(object) {
    object.status = { attached: false };
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
    const { attacher = '', source, nodeName = '' } = object.spec ?? {};
    return [
      nameCell(object),
      attacher,
      source?.persistentVolumeName ?? '',
      nodeName,
      object.status?.attached === true,
      ageCell(object, now),
    ];
  },
};

const longestMessage = 1024;
const metadataLimit = 256 * 1024;

function validate(object: VolumeAttachment): FieldError[] {
  const path = fieldPath('spec');
  const { attacher = '', nodeName = '' } = object.spec ?? {};
  return [
    ...csiDriverNameErrors(attacher, path.child('attacher')),
    ...sourceErrors(object),
    ...validateDnsSubdomain(nodeName).map(message => invalidField(path.child('nodeName'), nodeName, message)),
    ...statusErrors(object),
  ];
}

/** Validates that exactly one of persistentVolumeName and inlineVolumeSpec is set. */
function sourceErrors(object: VolumeAttachment): FieldError[] {
  const path = fieldPath('spec', 'source');
  const { inlineVolumeSpec: volume, persistentVolumeName: name } = object.spec?.source ?? {};
  if (!volume && name === undefined)
    return [requiredField(path, 'must specify exactly one of `inlineVolumeSpec` and `persistentVolumeName`')];
  if (volume && name !== undefined)
    return [
      forbiddenField(path, 'must specify exactly one of `inlineVolumeSpec` and `persistentVolumeName`'),
    ];
  if (volume) return inlineVolumeErrors(volume, path.child('inlineVolumeSpec'));
  const [at, given] = [path.child('persistentVolumeName'), name ?? ''];
  return [
    ...(given === '' ? [requiredField(at)] : []),
    ...validateDnsSubdomain(given).map(message => invalidField(at, given, message)),
  ];
}

function statusErrors(object: VolumeAttachment): FieldError[] {
  const path = fieldPath('status');
  const status = object.status ?? {};
  const metadata = Object.entries(status.attachmentMetadata ?? {});
  const size = metadata.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  return [
    ...(size > metadataLimit ? [tooLongField(path.child('attachmentMetadata'), '', metadataLimit)] : []),
    ...(['attachError', 'detachError'] as const)
      .filter(field => Buffer.byteLength(status[field]?.message ?? '') > longestMessage)
      .map(field => tooLongField(path.child(field, 'message'), '', longestMessage)),
  ];
}

function immutableSpecErrors(object: VolumeAttachment, old: VolumeAttachment): FieldError[] {
  if (equalJson(object.spec ?? null, old.spec ?? null)) return [];
  return [invalidField('spec', object.spec ?? null, 'field is immutable')];
}
