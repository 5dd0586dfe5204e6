import { understood } from '@binnacle/api-names';
import type { JsonValue } from '@binnacle/api-objects';
import type { TableColumn } from '../../definitions/kind-rules.ts';
import type { Node } from '../../generated/core/v1.ts';
import {
  ageCell,
  ageColumn,
  column,
  joinedOrNone,
  nameCell,
  nameColumn,
  wideColumn,
} from '../../printing/columns.ts';

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
  wideColumn('Container-Runtime', 'The handler that runs the containers.'),
];

/** The cells under `nodeColumns`. */
export function nodeCells(object: Node, now: number): JsonValue[] {
  const info = object.status?.nodeInfo;
  return [
    nameCell(object),
    statusCell(object),
    joinedOrNone(listRoles(object)),
    ageCell(object, now),
    info?.kubeletVersion ?? '',
    findAddress(object, 'InternalIP'),
    findAddress(object, 'ExternalIP'),
    info?.osImage || '<unknown>',
    info?.kernelVersion || '<unknown>',
    info?.containerRuntimeVersion || '<unknown>',
  ];
}

function statusCell(object: Node): string {
  const conditions = object.status?.conditions ?? [];
  const ready = conditions.find(({ type }) => type === 'Ready');
  const state = ready ? (ready.status === 'True' ? 'Ready' : 'NotReady') : 'Unknown';
  return object.spec?.unschedulable === true ? `${state},SchedulingDisabled` : state;
}

const rolePrefixes = understood.labels.nodeRole;
const roleLabels = understood.labels.role;

function listRoles(object: Node): string[] {
  const roles = Object.entries(object.metadata.labels ?? {}).flatMap(([label, value]) => {
    const prefix = rolePrefixes.find(one => label.startsWith(one));
    if (prefix !== undefined) return label === prefix ? [] : [label.slice(prefix.length)];
    return roleLabels.includes(label) && value !== '' ? [value] : [];
  });
  return [...new Set(roles)].sort();
}

function findAddress(object: Node, type: string): string {
  const addresses = object.status?.addresses ?? [];
  return addresses.find(address => address.type === type)?.address || '<none>';
}
