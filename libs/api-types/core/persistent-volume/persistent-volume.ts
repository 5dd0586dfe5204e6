import type { JsonValue } from '@binnacle/api-objects';
import type { KindRules } from '../../definitions/kind-rules.ts';
import type { PersistentVolume } from '../../generated/core/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn, wideColumn } from '../../printing/columns.ts';
import { labelRequirementWarnings } from '../node/deprecated-labels.ts';
import { persistentVolumeErrors, persistentVolumeUpdateErrors } from './persistent-volume-validation.ts';
import { singlePodModeRules } from './single-pod-mode-rules.ts';
import { accessModesText, storageClassText, storageText } from './volume-printing.ts';

/** The rules of PersistentVolume objects: the source is immutable. */
export const persistentVolumeRules: KindRules<PersistentVolume> = {
  returnsDeletedObject: true,
  gatedFields: [{ gate: 'CSINodeExpandSecret', paths: ['spec.csi.nodeExpandSecretRef'] }],
  gatedRules: [{ gate: 'ReadWriteOncePod', off: singlePodModeRules }],
  prepareForCreate(object) {
    object.status = { phase: 'Pending' };
  },
  validate: persistentVolumeErrors,
  validateUpdate: persistentVolumeUpdateErrors,
  warnings: ({ spec }) =>
    (spec?.nodeAffinity?.required?.nodeSelectorTerms ?? []).flatMap(({ matchExpressions }, index) =>
      labelRequirementWarnings(
        matchExpressions,
        `spec.nodeAffinity.required.nodeSelectorTerms[${index}].matchExpressions`,
      ),
    ),
  columns: [
    nameColumn,
    column('Capacity', 'How much the volume holds.'),
    column('Access Modes', 'How the volume can be mounted.'),
    column('Reclaim Policy', 'What becomes of the volume when it is released.'),
    column('Status', 'Whether the volume is bound to a claim.'),
    column('Claim', 'The claim that the volume is for.'),
    column('StorageClass', 'The storage class of the volume.'),
    column('Reason', 'Why the volume is in its state, in one word.'),
    ageColumn,
    wideColumn('VolumeMode', 'Whether the volume is a file system or a device.'),
  ],
  cells,
};

function cells(object: PersistentVolume, now: number): JsonValue[] {
  const spec = object.spec ?? {};
  const status = object.status;
  const claim = spec.claimRef;
  const isLeaving = object.metadata.deletionTimestamp !== undefined;
  return [
    nameCell(object),
    storageText(spec.capacity) || '0',
    accessModesText(spec.accessModes),
    spec.persistentVolumeReclaimPolicy ?? '',
    isLeaving ? 'Terminating' : (status?.phase ?? ''),
    claim ? `${claim.namespace ?? ''}/${claim.name ?? ''}` : '',
    storageClassText(object.metadata.annotations, spec.storageClassName),
    status?.reason ?? '',
    ageCell(object, now),
    spec.volumeMode || '<unset>',
  ];
}
