import { type ApiObject, type JsonObject, type JsonValue, parseTimestamp } from '@binnacle/api-objects';
import type { TableColumn } from '../definitions/definitions.ts';
import { ageSince } from '../printing/age.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf, wideColumn } from '../printing/columns.ts';
import { asNumber, asObject, asObjects, asText } from '../values/json-access.ts';
import { specOf } from './service-facts.ts';

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
export function podCells(object: ApiObject, now: number): JsonValue[] {
  const spec = specOf(object);
  const status = asObject(object['status']) ?? {};
  const containers = asObjects(status['containerStatuses']);
  const ready = containers.filter(
    container => container['ready'] === true && stateOf(container, 'running'),
  ).length;
  return [
    nameOf(object),
    `${ready}/${asObjects(spec['containers']).length}`,
    summaryOf(object, status),
    restartsOf(status, now),
    ageOf(object, now),
    asText(asObjects(status['podIPs'])[0]?.['ip']) || asText(status['podIP']) || '<none>',
    asText(spec['nodeName']) || '<none>',
    asText(status['nominatedNodeName']) || '<none>',
    readinessGates(spec, status),
  ];
}

function stateOf(container: JsonObject, state: string): JsonObject | undefined {
  return asObject(asObject(container['state'])?.[state]);
}

/** Deletion comes before anything else, then the first init container that is not done, then the containers. */
function summaryOf(object: ApiObject, status: JsonObject): string {
  const reason = asText(status['reason']) || asText(status['phase']);
  if (object.metadata.deletionTimestamp !== undefined)
    return reason === 'NodeLost' ? 'Unknown' : 'Terminating';
  const initContainers = asObjects(status['initContainerStatuses']);
  const waiting = initContainers.findIndex(
    container => asNumber(stateOf(container, 'terminated')?.['exitCode'] ?? -1) !== 0,
  );
  if (waiting >= 0) {
    const total = asObjects(specOf(object)['initContainers']).length;
    return initSummary(initContainers[waiting]!, waiting, total);
  }
  return containersSummary(asObjects(status['containerStatuses']), status, reason);
}

function initSummary(container: JsonObject, index: number, total: number): string {
  const terminated = stateOf(container, 'terminated');
  if (terminated) return `Init:${terminationText(terminated)}`;
  const waiting = asText(stateOf(container, 'waiting')?.['reason']);
  if (waiting !== '' && waiting !== 'PodInitializing') return `Init:${waiting}`;
  return `Init:${index}/${total}`;
}

function containersSummary(containers: readonly JsonObject[], status: JsonObject, reason: string): string {
  let summary = reason;
  for (const container of containers.toReversed()) {
    const waiting = asText(stateOf(container, 'waiting')?.['reason']);
    const terminated = stateOf(container, 'terminated');
    if (waiting !== '') summary = waiting;
    else if (terminated) summary = terminationText(terminated);
  }
  const isRunning = containers.some(
    container => container['ready'] === true && stateOf(container, 'running'),
  );
  if (summary !== 'Completed' || !isRunning) return summary;
  const isReady = asObjects(status['conditions']).some(
    condition => condition['type'] === 'Ready' && condition['status'] === 'True',
  );
  return isReady ? 'Running' : 'NotReady';
}

function terminationText(terminated: JsonObject): string {
  const reason = asText(terminated['reason']);
  if (reason !== '') return reason;
  const signal = asNumber(terminated['signal']);
  return signal === 0 ? `ExitCode:${asNumber(terminated['exitCode'])}` : `Signal:${signal}`;
}

function restartsOf(status: JsonObject, now: number): string {
  const containers = asObjects(status['containerStatuses']);
  const count = containers.reduce((sum, container) => sum + asNumber(container['restartCount']), 0);
  const ends = containers
    .map(container => asText(asObject(asObject(container['lastState'])?.['terminated'])?.['finishedAt']))
    .filter(end => parseTimestamp(end) !== undefined)
    .sort();
  const last = ends.at(-1);
  return count === 0 || last === undefined ? String(count) : `${count} (${ageSince(last, now)} ago)`;
}

function readinessGates(spec: JsonObject, status: JsonObject): string {
  const gates = asObjects(spec['readinessGates']).map(gate => gate['conditionType']);
  if (gates.length === 0) return '<none>';
  const conditions = asObjects(status['conditions']);
  const holding = gates.filter(gate =>
    conditions.some(condition => condition['type'] === gate && condition['status'] === 'True'),
  );
  return `${holding.length}/${gates.length}`;
}
