import { understood } from '@binnacle/api-names';
import type { JsonValue } from '@binnacle/api-objects';
import type { KindRules } from '../../definitions/kind-rules.ts';
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '../../generated/core/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn, wideColumn } from '../../printing/columns.ts';
import {
  lateStorageClassErrors,
  shrinkBelowCapacityErrors,
  shrinkErrors,
} from './persistent-volume-claim-changes.ts';
import {
  persistentVolumeClaimErrors,
  persistentVolumeClaimUpdateErrors,
} from './persistent-volume-claim-validation.ts';
import { claimSpecWarnings } from './persistent-volume-claim-warnings.ts';
import { singlePodModeRules } from './single-pod-mode-rules.ts';
import { accessModesText, storageClassText, storageText } from './volume-printing.ts';

/** The rules of PersistentVolumeClaim objects: the spec is immutable, except that a bound claim may grow. */
export const persistentVolumeClaimRules: KindRules<PersistentVolumeClaim> = {
  returnsDeletedObject: true,
  prepareForCreate(object) {
    object.status = { phase: 'Pending' };
    dropUnknownSource(object.spec ?? {});
  },
  gatedFields: [
    { gate: 'AnyVolumeDataSource', paths: ['spec.dataSourceRef'] },
    {
      gate: 'CrossNamespaceVolumeDataSource',
      paths: ['spec.dataSourceRef.namespace'],
      inUse: ['spec.dataSourceRef'],
      removesParent: true,
    },
    { gate: 'RecoverVolumeExpansionFailure', paths: ['status.allocatedResources', 'status.resizeStatus'] },
    // Only containers use resource claims; the shared type gives volume claims the field too.
    { paths: ['spec.resources.claims'], inUse: [] },
  ],
  gatedRules: [
    {
      gate: 'AnyVolumeDataSource',
      on: {
        prepareForCreate: object => keepSourcesTogether(object.spec ?? {}),
        prepareForUpdate(object, _old, subresource) {
          if (subresource === '') keepSourcesTogether(object.spec ?? {});
        },
      },
    },
    { gate: 'ReadWriteOncePod', off: singlePodModeRules },
    {
      gate: 'RecoverVolumeExpansionFailure',
      on: { validateUpdate: shrinkBelowCapacityErrors },
      off: { validateUpdate: shrinkErrors },
    },
    { gate: 'RetroactiveDefaultStorageClass', off: { validateUpdate: lateStorageClassErrors } },
  ],
  validate: persistentVolumeClaimErrors,
  validateUpdate: persistentVolumeClaimUpdateErrors,
  warnings: object => claimSpecWarnings(object.spec ?? {}, 'spec'),
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

/** `dataSource` supports claims and snapshots only; other sources require `dataSourceRef`. */
function dropUnknownSource(spec: PersistentVolumeClaimSpec): void {
  const source = spec.dataSource;
  if (!source || spec.dataSourceRef) return;
  const group = source.apiGroup ?? '';
  const isClaim = group === '' && source.kind === 'PersistentVolumeClaim';
  const isSnapshot = understood.groups.snapshot.includes(group) && source.kind === 'VolumeSnapshot';
  if (!isClaim && !isSnapshot) delete spec.dataSource;
}

/**
 * Aligns `dataSource` and the newer `dataSourceRef`: if one is set, the other one is set too, except for a reference with a
 * namespace.
 */
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
    nameCell(object),
    isLeaving ? 'Terminating' : (status?.phase ?? ''),
    volume,
    volume === '' ? '' : storageText(status?.capacity) || '0',
    volume === '' ? '' : accessModesText(status?.accessModes),
    storageClassText(object.metadata.annotations, spec.storageClassName),
    ageCell(object, now),
    spec.volumeMode || '<unset>',
  ];
}
