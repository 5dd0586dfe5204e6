import type { ApiObject, JsonObject, JsonValue } from '@binnacle/api-objects';
import type { KindRules } from '../definitions/definitions.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf, wideColumn } from '../printing/columns.ts';
import { asObject, asText } from '../values/json-access.ts';
import {
  persistentVolumeClaimErrors,
  persistentVolumeClaimUpdateErrors,
} from './persistent-volume-claim-validation.ts';
import { specOf } from './service-facts.ts';
import { accessModesText, storageClassText, storageText } from './volume-printing.ts';

/** The rules of PersistentVolumeClaim objects: a claim stays as created, but that it may grow once bound. */
export const persistentVolumeClaimRules: KindRules = {
  returnsDeletedObject: true,
  prepareForCreate(object) {
    object['status'] = { phase: 'Pending' };
    dropUnknownSource(specOf(object));
    keepSourcesTogether(specOf(object));
  },
  prepareForUpdate(object, _old, subresource) {
    if (subresource === '') keepSourcesTogether(specOf(object));
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
function dropUnknownSource(spec: JsonObject): void {
  const source = asObject(spec['dataSource']);
  if (!source || asObject(spec['dataSourceRef'])) return;
  const group = asText(source['apiGroup']);
  const isClaim = group === '' && source['kind'] === 'PersistentVolumeClaim';
  const isSnapshot = snapshotGroups.includes(group) && source['kind'] === 'VolumeSnapshot';
  if (!isClaim && !isSnapshot) delete spec['dataSource'];
}

/** Two fields of different age say the same: where one is set, so is the other. */
function keepSourcesTogether(spec: JsonObject): void {
  const source = asObject(spec['dataSource']);
  const reference = asObject(spec['dataSourceRef']);
  if (source && !reference) spec['dataSourceRef'] = { ...source };
  else if (reference && !source && asText(reference['namespace']) === '') {
    const { namespace: _, ...local } = reference;
    spec['dataSource'] = local;
  }
}

function cells(object: ApiObject, now: number): JsonValue[] {
  const spec = specOf(object);
  const status = asObject(object['status']);
  const isLeaving = object.metadata.deletionTimestamp !== undefined;
  const volume = asText(spec['volumeName']);
  return [
    nameOf(object),
    isLeaving ? 'Terminating' : asText(status?.['phase']),
    volume,
    volume === '' ? '' : storageText(status?.['capacity']) || '0',
    volume === '' ? '' : accessModesText(status?.['accessModes']),
    storageClassText(object.metadata.annotations, spec['storageClassName']),
    ageOf(object, now),
    asText(spec['volumeMode']) || '<unset>',
  ];
}
