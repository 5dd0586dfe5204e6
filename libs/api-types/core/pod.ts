import { type ApiObject, copyJson } from '@binnacle/api-objects';
import type { KindRules } from '../definitions/definitions.ts';
import { asObject, asObjects, asText } from '../values/json-access.ts';
import { ephemeralContainersErrors, keepEphemeralContainers } from './ephemeral-containers.ts';
import { applyPodDefaults } from './pod-defaults.ts';
import { podCells, podColumns } from './pod-printing.ts';
import { qosClassOf } from './pod-qos.ts';
import { podStatusErrors } from './pod-status-validation.ts';
import { podUpdateErrors } from './pod-update-validation.ts';
import { podCreateErrors, podErrors } from './pod-validation.ts';
import { specOf } from './service-facts.ts';

const selectableSpecFields = ['nodeName', 'restartPolicy', 'schedulerName', 'serviceAccountName'];
const selectableStatusFields = ['phase', 'podIP', 'nominatedNodeName'];

/** The rules of Pod objects: the spec is fixed at creation but for images, the deadline and added tolerations. */
export const podRules: KindRules = {
  returnsDeletedObject: true,
  applyDefaults: applyPodDefaults,
  prepareForCreate(object) {
    object['status'] = { phase: 'Pending', qosClass: qosClassOf(specOf(object)) };
  },
  prepareForUpdate(object, old, subresource) {
    if (subresource === 'status') restoreOwners(object, old);
    if (subresource === 'ephemeralcontainers') keepEphemeralContainers(object, old);
  },
  validate: podErrors,
  validateCreate: podCreateErrors,
  validateUpdate(object, old, subresource) {
    if (subresource === '') return podUpdateErrors(specOf(object), specOf(old));
    if (subresource === 'status') return podStatusErrors(object, old);
    return subresource === 'ephemeralcontainers'
      ? ephemeralContainersErrors(specOf(object), specOf(old))
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

/** A node reports status; who owns the pod is not its to say. */
function restoreOwners(object: ApiObject, old: ApiObject): void {
  const owners = old.metadata.ownerReferences;
  if (owners === undefined) delete object.metadata.ownerReferences;
  else object.metadata.ownerReferences = copyJson(owners);
}

function selectableFields(object: ApiObject): Record<string, string> {
  const spec = specOf(object);
  const status = asObject(object['status']) ?? {};
  const fields: Record<string, string> = {};
  for (const field of selectableSpecFields) fields[`spec.${field}`] = asText(spec[field]);
  fields['spec.host'] = asText(spec['nodeName']);
  for (const field of selectableStatusFields) fields[`status.${field}`] = asText(status[field]);
  fields['status.podIP'] ||= asText(asObjects(status['podIPs'])[0]?.['ip']);
  return fields;
}
