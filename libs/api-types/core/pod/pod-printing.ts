import { type JsonValue, parseTimestamp } from '@binnacle/api-objects';
import type { TableColumn } from '../../definitions/kind-rules.ts';
import type {
  ContainerState,
  ContainerStateTerminated,
  ContainerStatus,
  Pod,
  PodSpec,
  PodStatus,
} from '../../generated/core/v1.ts';
import { ageSince } from '../../printing/age.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn, wideColumn } from '../../printing/columns.ts';

/** The columns of pods. */
export const podColumns: readonly TableColumn[] = [
  nameColumn,
  column('Ready', 'How many containers are ready, of how many.'),
  column('Status', 'The phase, or what holds it up.'),
  column('Restarts', 'How often containers were restarted, and when last.'),
  ageColumn,
  wideColumn('IP', 'The address of the pod.'),
  wideColumn('Node', 'The node that the pod runs on.'),
  wideColumn('Nominated Node', 'The node that the pod will run on once others have left it.'),
  wideColumn('Readiness Gates', 'How many conditions beyond the containers hold, of how many.'),
];

/** The cells under `podColumns`. */
export function podCells(object: Pod, now: number): JsonValue[] {
  const spec = object.spec ?? {};
  const status = object.status ?? {};
  const containers = status.containerStatuses ?? [];
  const ready = containers.filter(
    container => container.ready === true && readState(container, 'running'),
  ).length;
  return [
    nameCell(object),
    `${ready}/${(spec.containers ?? []).length}`,
    summarizePod(object, status),
    restartsCell(status, now),
    ageCell(object, now),
    status.podIPs?.[0]?.ip || status.podIP || '<none>',
    spec.nodeName || '<none>',
    status.nominatedNodeName || '<none>',
    readinessGates(spec, status),
  ];
}

function readState<State extends keyof ContainerState>(
  container: ContainerStatus,
  state: State,
): ContainerState[State] | undefined {
  return container.state?.[state];
}

/** Summarizes the state of a pod: deletion takes precedence, then the first incomplete init container, then the containers. */
function summarizePod(object: Pod, status: PodStatus): string {
  const reason = status.reason || (status.phase ?? '');
  if (object.metadata.deletionTimestamp !== undefined)
    return reason === 'NodeLost' ? 'Unknown' : 'Terminating';
  const initContainers = status.initContainerStatuses ?? [];
  const waiting = initContainers.findIndex(
    container => (readState(container, 'terminated')?.exitCode ?? -1) !== 0,
  );
  if (waiting >= 0) {
    const total = (object.spec?.initContainers ?? []).length;
    return initSummary(initContainers[waiting]!, waiting, total);
  }
  return containersSummary(status.containerStatuses ?? [], status, reason);
}

function initSummary(container: ContainerStatus, index: number, total: number): string {
  const terminated = readState(container, 'terminated');
  if (terminated) return `Init:${terminationText(terminated)}`;
  const waiting = readState(container, 'waiting')?.reason ?? '';
  if (waiting !== '' && waiting !== 'PodInitializing') return `Init:${waiting}`;
  return `Init:${index}/${total}`;
}

function containersSummary(
  containers: readonly ContainerStatus[],
  status: PodStatus,
  reason: string,
): string {
  let summary = reason;
  for (const container of containers.toReversed()) {
    const waiting = readState(container, 'waiting')?.reason ?? '';
    const terminated = readState(container, 'terminated');
    if (waiting !== '') summary = waiting;
    else if (terminated) summary = terminationText(terminated);
  }
  const isRunning = containers.some(container => container.ready === true && readState(container, 'running'));
  if (summary !== 'Completed' || !isRunning) return summary;
  const isReady = (status.conditions ?? []).some(
    condition => condition.type === 'Ready' && condition.status === 'True',
  );
  return isReady ? 'Running' : 'NotReady';
}

function terminationText(terminated: ContainerStateTerminated): string {
  const reason = terminated.reason ?? '';
  if (reason !== '') return reason;
  const signal = terminated.signal ?? 0;
  return signal === 0 ? `ExitCode:${terminated.exitCode ?? 0}` : `Signal:${signal}`;
}

function restartsCell(status: PodStatus, now: number): string {
  const containers = status.containerStatuses ?? [];
  const count = containers.reduce((sum, container) => sum + (container.restartCount ?? 0), 0);
  const ends = containers
    .map(container => container.lastState?.terminated?.finishedAt ?? '')
    .filter(end => parseTimestamp(end) !== undefined)
    .sort();
  const last = ends.at(-1);
  return count === 0 || last === undefined ? String(count) : `${count} (${ageSince(last, now)} ago)`;
}

function readinessGates(spec: PodSpec, status: PodStatus): string {
  const gates = (spec.readinessGates ?? []).map(gate => gate.conditionType);
  if (gates.length === 0) return '<none>';
  const conditions = status.conditions ?? [];
  const holding = gates.filter(gate =>
    conditions.some(condition => condition.type === gate && condition.status === 'True'),
  );
  return `${holding.length}/${gates.length}`;
}
