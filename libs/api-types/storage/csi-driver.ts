import {
  duplicateField,
  equalJson,
  type FieldError,
  fieldPath,
  invalidField,
  nextGeneration,
  notSupportedField,
  requiredField,
  validatePathSegmentName,
} from '@binnacle/api-objects';
import { csiDriverNameErrors } from '../core/volume/csi-driver-name.ts';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { CSIDriver } from '../generated/storage/v1.ts';
import { ageCell, ageColumn, column, joinedOrNone, nameCell, nameColumn } from '../printing/columns.ts';

/** The rules of CSIDriver objects: most capabilities are immutable, a few fields may change. */
export const csiDriverRules: KindRules<CSIDriver> = {
  nameRule: validatePathSegmentName,
  unconditionalUpdate: false,
  returnsDeletedObject: true,
  gatedFields: [{ gate: 'SELinuxMountReadWriteOncePod', paths: ['spec.seLinuxMount'] }],
  gatedRules: [
    {
      gate: 'SELinuxMountReadWriteOncePod',
      on: {
        applyDefaults(object) {
          if (object.spec) object.spec.seLinuxMount ??= false;
        },
      },
    },
  ],
  applyDefaults(object) {
    object.spec ??= {};
    const { spec } = object;
    if ((spec.volumeLifecycleModes ?? []).length === 0) spec.volumeLifecycleModes = ['Persistent'];
  },
  prepareForUpdate,
  validate,
  validateUpdate: immutableErrors,
  columns: [
    nameColumn,
    column('AttachRequired', 'Whether volumes are attached to nodes.', { type: 'boolean' }),
    column('PodInfoOnMount', 'Whether the driver gets information about the pod.', { type: 'boolean' }),
    column('StorageCapacity', 'Whether the driver reports its capacity.', { type: 'boolean' }),
    column('TokenRequests', 'The audiences of the tokens that the driver gets.'),
    column('RequiresRepublish', 'Whether the driver is called periodically.', { type: 'boolean' }),
    column('Modes', 'The lifecycle modes that volumes of the driver may have.'),
    ageColumn,
  ],
  cells: (object, now) => {
    const spec = object.spec ?? {};
    const audiences = (spec.tokenRequests ?? []).map(({ audience = '' }) => audience);
    return [
      nameCell(object),
      spec.attachRequired !== false,
      spec.podInfoOnMount === true,
      spec.storageCapacity === true,
      audiences.length === 0 ? '<unset>' : audiences.join(','),
      spec.requiresRepublish === true,
      joinedOrNone(spec.volumeLifecycleModes ?? []),
      ageCell(object, now),
    ];
  },
};

const changeable = ['tokenRequests', 'requiresRepublish', 'seLinuxMount'] as const;
const fixed = ['attachRequired', 'fsGroupPolicy', 'podInfoOnMount', 'volumeLifecycleModes'] as const;

/** Fields that kube-apiserver reports under another name. */
const reportedAs: Readonly<Record<string, string>> = { attachRequired: 'attachedRequired' };

const groupPolicies = ['ReadWriteOnceWithFSType', 'File', 'None'];
const lifecycleModes = ['Persistent', 'Ephemeral'];
const shortestToken = 600;
const longestToken = 2 ** 32;

/** Increments the generation when a mutable field changes. */
function prepareForUpdate(object: CSIDriver, old: CSIDriver): void {
  const [spec, oldSpec] = [object.spec ?? {}, old.spec ?? {}];
  if (changeable.some(field => !equalJson(spec[field] ?? null, oldSpec[field] ?? null)))
    object.metadata.generation = nextGeneration(old.metadata.generation);
}

function validate(object: CSIDriver): FieldError[] {
  const path = fieldPath('spec');
  const spec = object.spec ?? {};
  const policy = spec.fsGroupPolicy ?? '';
  return [
    ...csiDriverNameErrors(nameCell(object), fieldPath('name')),
    ...(['attachRequired', 'podInfoOnMount', 'storageCapacity', 'requiresRepublish'] as const)
      .filter(field => spec[field] === undefined)
      .map(field => requiredField(path.child(reportedAs[field] ?? field))),
    ...(groupPolicies.includes(policy)
      ? []
      : [notSupportedField(path.child('fsGroupPolicy'), policy, groupPolicies.toSorted())]),
    ...(spec.volumeLifecycleModes ?? [])
      .filter(mode => !lifecycleModes.includes(mode))
      .map(mode => notSupportedField(path.child('volumeLifecycleModes'), mode, lifecycleModes.toSorted())),
    ...tokenRequestErrors(object),
  ];
}

function tokenRequestErrors(object: CSIDriver): FieldError[] {
  const path = fieldPath('spec', 'tokenRequests');
  const audiences = new Set<string>();
  return (object.spec?.tokenRequests ?? []).flatMap(
    ({ audience = '', expirationSeconds: seconds }, index) => {
      if (audiences.has(audience)) return [duplicateField(path.index(index).child('audience'), audience)];
      audiences.add(audience);
      if (seconds === undefined || (seconds >= shortestToken && seconds <= longestToken)) return [];
      const range = `must be between ${shortestToken} and ${longestToken} seconds`;
      return [invalidField(path.index(index).child('expirationSeconds'), seconds, range)];
    },
  );
}

function immutableErrors(object: CSIDriver, old: CSIDriver): FieldError[] {
  const path = fieldPath('spec');
  const [spec, oldSpec] = [object.spec ?? {}, old.spec ?? {}];
  return fixed
    .filter(field => !equalJson(spec[field] ?? null, oldSpec[field] ?? null))
    .map(field =>
      invalidField(path.child(reportedAs[field] ?? field), spec[field] ?? null, 'field is immutable'),
    );
}
