import type { JsonValue } from '@binnacle/api-objects';
import type { KindRules } from '../../definitions/definitions.ts';
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '../../generated/core/v1.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf, wideColumn } from '../../printing/columns.ts';
import {
  persistentVolumeClaimErrors,
  persistentVolumeClaimUpdateErrors,
} from './persistent-volume-claim-validation.ts';
import { accessModesText, storageClassText, storageText } from './volume-printing.ts';

/** The rules of PersistentVolumeClaim objects: a claim stays as created, but that it may grow once bound. */
export const persistentVolumeClaimRules: KindRules<PersistentVolumeClaim> = {
  returnsDeletedObject: true,
  prepareForCreate(object) {
    object.status = { phase: 'Pending' };
    dropUnknownSource(object.spec ?? {});
    keepSourcesTogether(object.spec ?? {});
  },
  prepareForUpdate(object, _old, subresource) {
    if (subresource === '') keepSourcesTogether(object.spec ?? {});
  },
  validate: persistentVolumeClaimErrors,
  validateUpdate: persistentVolumeClaimUpdateErrors,
  columns: [
    nameColumn,
    column('Status', 'Whether the claim is bound to a volume.'),
    column('Volume', 'The volume that the claim is bound to.'),
    column('Capacity', 'How much the volume holds.'),
    column('Access Modes', 'How the volume can be mounted.'),
    column('StorageClass', 'The storage class that the claim asks for.'),
    ageColumn,
    wideColumn('VolumeMode', 'Whether the volume is a file system or a device.'),
  ],
  cells,
};

const snapshotGroups = ['snapshot.storage.cluster.io', 'snapshot.storage.k8s.io'];

/** `dataSource` knows claims and snapshots only; anything else is for `dataSourceRef`. */
function dropUnknownSource(spec: PersistentVolumeClaimSpec): void {
  const source = spec.dataSource;
  if (!source || spec.dataSourceRef) return;
  const group = source.apiGroup ?? '';
  const isClaim = group === '' && source.kind === 'PersistentVolumeClaim';
  const isSnapshot = snapshotGroups.includes(group) && source.kind === 'VolumeSnapshot';
  if (!isClaim && !isSnapshot) delete spec.dataSource;
}

/** Two fields of different age say the same: where one is set, so is the other. */
function keepSourcesTogether(spec: PersistentVolumeClaimSpec): void {
  const source = spec.dataSource;
  const reference = spec.dataSourceRef;
  if (source && !reference) spec.dataSourceRef = { ...source };
  else if (reference && !source && (reference.namespace ?? '') === '') {
    const { namespace: _, ...local } = reference;
    spec.dataSource = local;
  }
}

function cells(object: PersistentVolumeClaim, now: number): JsonValue[] {
  const spec = object.spec ?? {};
  const status = object.status;
  const isLeaving = object.metadata.deletionTimestamp !== undefined;
  const volume = spec.volumeName ?? '';
  return [
    nameOf(object),
    isLeaving ? 'Terminating' : (status?.phase ?? ''),
    volume,
    volume === '' ? '' : storageText(status?.capacity) || '0',
    volume === '' ? '' : accessModesText(status?.accessModes),
    storageClassText(object.metadata.annotations, spec.storageClassName),
    ageOf(object, now),
    spec.volumeMode || '<unset>',
  ];
}
