import type { ApiObject, JsonValue } from '@binnacle/api-objects';
import type { TableColumn } from '../definitions/definitions.ts';
import {
  ageColumn,
  ageOf,
  column,
  joinedOrNone,
  nameColumn,
  nameOf,
  wideColumn,
} from '../printing/columns.ts';
import { asObject, asObjects, asText } from '../values/json-access.ts';
import { specOf } from './service-facts.ts';

/** The columns of nodes. */
export const nodeColumns: readonly TableColumn[] = [
  nameColumn,
  column('Status', 'Whether the node is ready and takes new pods.'),
  column('Roles', 'What the node is for, by its labels.'),
  ageColumn,
  column('Version', 'The version of the agent on the node.'),
  wideColumn('Internal-IP', 'The address inside the cluster.'),
  wideColumn('External-IP', 'The address for the outside.'),
  wideColumn('OS-Image', 'The operating system.'),
  wideColumn('Kernel-Version', 'The version of the kernel.'),
  wideColumn('Container-Runtime', 'What runs the containers.'),
];

/** The cells under `nodeColumns`. */
export function nodeCells(object: ApiObject, now: number): JsonValue[] {
  const info = asObject(asObject(object['status'])?.['nodeInfo']);
  return [
    nameOf(object),
    statusOf(object),
    joinedOrNone(rolesOf(object)),
    ageOf(object, now),
    asText(info?.['kubeletVersion']),
    addressOf(object, 'InternalIP'),
    addressOf(object, 'ExternalIP'),
    asText(info?.['osImage']) || '<unknown>',
    asText(info?.['kernelVersion']) || '<unknown>',
    asText(info?.['containerRuntimeVersion']) || '<unknown>',
  ];
}

function statusOf(object: ApiObject): string {
  const conditions = asObjects(asObject(object['status'])?.['conditions']);
  const ready = conditions.find(({ type }) => type === 'Ready');
  const state = ready ? (ready['status'] === 'True' ? 'Ready' : 'NotReady') : 'Unknown';
  return specOf(object)['unschedulable'] === true ? `${state},SchedulingDisabled` : state;
}

const rolePrefix = /^node-role\.(?:cluster|kubernetes)\.io\/(.+)$/;
const roleLabels = ['cluster.io/role', 'kubernetes.io/role'];

function rolesOf(object: ApiObject): string[] {
  const roles = Object.entries(object.metadata.labels ?? {}).flatMap(([label, value]) => {
    const role = rolePrefix.exec(label)?.[1];
    if (role !== undefined) return [role];
    return roleLabels.includes(label) && value !== '' ? [value] : [];
  });
  return [...new Set(roles)].sort();
}

function addressOf(object: ApiObject, type: string): string {
  const addresses = asObjects(asObject(object['status'])?.['addresses']);
  return asText(addresses.find(address => address['type'] === type)?.['address']) || '<none>';
}
