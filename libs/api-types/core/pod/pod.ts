import { copyJson } from '@binnacle/api-objects';
import type { KindRules, MessageType } from '../../definitions/definitions.ts';
import type { Pod } from '../../generated/core/v1.ts';
import { ephemeralContainersErrors, keepEphemeralContainers } from './containers/ephemeral-containers.ts';
import { applyPodDefaults } from './pod-defaults.ts';
import { podCells, podColumns } from './pod-printing.ts';
import { qosClassOf } from './pod-qos.ts';
import { podStatusErrors } from './pod-status-validation.ts';
import { podUpdateErrors } from './pod-update-validation.ts';
import { podCreateErrors, podErrors } from './pod-validation.ts';

const defaultGracePeriodSeconds = 30;
const selectableSpecFields = ['nodeName', 'restartPolicy', 'schedulerName', 'serviceAccountName'] as const;
const selectableStatusFields = ['phase', 'podIP', 'nominatedNodeName'] as const;

/** The rules of Pod objects: the spec is fixed at creation but for images, the deadline and added tolerations. */
export const podRules: KindRules<Pod> = {
  returnsDeletedObject: true,
  applyDefaults: applyPodDefaults,
  prepareForCreate(object) {
    object.status = { phase: 'Pending', qosClass: qosClassOf(object.spec ?? {}) };
  },
  prepareForUpdate(object, old, subresource) {
    if (subresource === 'status') restoreOwners(object, old);
    if (subresource === 'ephemeralcontainers') keepEphemeralContainers(object, old);
  },
  gracePeriodSeconds,
  resetFields,
  validate: podErrors,
  validateCreate: podCreateErrors,
  validateUpdate(object, old, subresource) {
    if (subresource === '') return podUpdateErrors(object.spec ?? {}, old.spec ?? {});
    if (subresource === 'status') return podStatusErrors(object, old);
    return subresource === 'ephemeralcontainers'
      ? ephemeralContainersErrors(object.spec ?? {}, old.spec ?? {})
      : [];
  },
  selectableFieldNames: [
    ...selectableSpecFields.map(field => `spec.${field}`),
    // What old clients call the name of the node.
    'spec.host',
    ...selectableStatusFields.map(field => `status.${field}`),
  ],
  selectableFields,
  columns: podColumns,
  cells: podCells,
};

/** Only what runs on a node ends gracefully. */
function gracePeriodSeconds({ spec, status }: Pod): number | undefined {
  const isRunning =
    (spec?.nodeName ?? '') !== '' && status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
  return isRunning ? (spec?.terminationGracePeriodSeconds ?? defaultGracePeriodSeconds) : undefined;
}

function resetFields(subresource: string, { fields }: MessageType): string[][] {
  if (subresource === 'status')
    return [
      ['metadata', 'deletionTimestamp'],
      ['metadata', 'ownerReferences'],
    ];
  if (subresource !== 'ephemeralcontainers') return [];
  const type = fields.get('spec')?.type;
  const names = type?.kind === 'message' ? [...type.message.fields.keys()] : [];
  return [['status'], ...names.filter(name => name !== 'ephemeralContainers').map(name => ['spec', name])];
}

/** A node reports status; who owns the pod is not its to say. */
function restoreOwners(object: Pod, old: Pod): void {
  const owners = old.metadata.ownerReferences;
  if (owners === undefined) delete object.metadata.ownerReferences;
  else object.metadata.ownerReferences = copyJson(owners);
}

function selectableFields(object: Pod): Record<string, string> {
  const spec = object.spec ?? {};
  const status = object.status ?? {};
  const fields: Record<string, string> = {};
  for (const field of selectableSpecFields) fields[`spec.${field}`] = spec[field] ?? '';
  fields['spec.host'] = spec.nodeName ?? '';
  for (const field of selectableStatusFields) fields[`status.${field}`] = status[field] ?? '';
  fields['status.podIP'] ||= status.podIPs?.[0]?.ip ?? '';
  return fields;
}
