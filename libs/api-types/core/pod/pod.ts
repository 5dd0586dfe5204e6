import { copyJson, type FieldError, timestampFrom } from '@binnacle/api-objects';
import type { KindRules } from '../../definitions/kind-rules.ts';
import type { MessageType } from '../../definitions/message-type.ts';
import type { Pod } from '../../generated/core/v1.ts';
import { ephemeralContainersErrors, keepEphemeralContainers } from './containers/ephemeral-containers.ts';
import { gatedPodFields } from './gated-pod-fields.ts';
import { gatedPodRules } from './gated-pod-rules.ts';
import { podAnnotationUpdateErrors } from './pod-annotations.ts';
import { applyPodDefaults } from './pod-defaults.ts';
import { podCells, podColumns } from './pod-printing.ts';
import { qosClassFromSpec } from './pod-qos.ts';
import { podStatusErrors } from './pod-status-validation.ts';
import { podUpdateErrors } from './pod-update-validation.ts';
import { podCreateErrors, podErrors } from './pod-validation.ts';
import { podWarnings } from './pod-warnings.ts';
import { fillInSeccompProfiles } from './seccomp-annotations.ts';

const defaultGracePeriodSeconds = 30;
const selectableSpecFields = ['nodeName', 'restartPolicy', 'schedulerName', 'serviceAccountName'] as const;
const selectableStatusFields = ['phase', 'podIP', 'nominatedNodeName'] as const;

/**
 * The rules of Pod objects: the spec is immutable except for images, the deadline, added tolerations and removed scheduling
 * gates.
 */
export const podRules: KindRules<Pod> = {
  returnsDeletedObject: true,
  gatedFields: gatedPodFields(),
  gatedRules: [
    ...gatedPodRules<Pod>(),
    { gate: 'PodDisruptionConditions', on: { prepareForEviction: noteEviction } },
    { gate: 'PodSchedulingReadiness', on: { prepareForCreate: noteSchedulingGates } },
  ],
  applyDefaults: applyPodDefaults,
  prepareForCreate(object) {
    fillInSeccompProfiles(object);
    object.status = { phase: 'Pending', qosClass: qosClassFromSpec(object.spec ?? {}) };
  },
  prepareForUpdate(object, old, subresource) {
    if (subresource === 'status') restoreOwners(object, old);
    if (subresource === 'ephemeralcontainers') keepEphemeralContainers(object, old);
  },
  gracePeriodSeconds,
  resetFields,
  validate: podErrors,
  validateCreate: podCreateErrors,
  specificationSubresources: ['ephemeralcontainers'],
  validateUpdate: (object, old, subresource) => [
    ...podAnnotationUpdateErrors(object, old),
    ...changeErrors(object, old, subresource),
  ],
  // Only for creations: controllers update pods frequently.
  warnings: (object, old) => (old === undefined ? podWarnings(object) : []),
  selectableFieldNames: [
    ...selectableSpecFields.map(field => `spec.${field}`),
    // The name of spec.nodeName for old clients.
    'spec.host',
    ...selectableStatusFields.map(field => `status.${field}`),
  ],
  selectableFields,
  columns: podColumns,
  cells: podCells,
};

function changeErrors(object: Pod, old: Pod, subresource: string): FieldError[] {
  const { spec = {} } = object;
  const { spec: before = {} } = old;
  switch (subresource) {
    case '':
      return podUpdateErrors(spec, before);
    case 'status':
      return podStatusErrors(object, old);
    case 'ephemeralcontainers':
      return ephemeralContainersErrors(spec, before);
    default:
      return [];
  }
}

/** Adds the condition by which job controllers recognize that a pod did not fail by itself. */
function noteEviction(object: Pod, now: number): void {
  object.status ??= {};
  const { status } = object;
  const before = (status.conditions ?? []).find(({ type }) => type === 'DisruptionTarget');
  const others = (status.conditions ?? []).filter(condition => condition !== before);
  const since = before?.status === 'True' ? before.lastTransitionTime : undefined;
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
    lastProbeTime: null,
    lastTransitionTime: since ?? timestampFrom(now),
  };
  status.conditions = [...others, condition];
}

/** Adds the condition of a pod with scheduling gates, which schedulers ignore. */
function noteSchedulingGates({ spec, status }: Pod): void {
  if (status === undefined || (spec?.schedulingGates ?? []).length === 0) return;
  status.conditions = [
    {
      type: 'PodScheduled',
      status: 'False',
      reason: 'SchedulingGated',
      message: 'Scheduling is blocked due to non-empty scheduling gates',
    },
  ];
}

/** Returns the grace period of a pod; only pods that run on a node have one. */
function gracePeriodSeconds({ spec, status }: Pod): number | bigint | undefined {
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

/** A status write by a node must not change owner references. */
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
