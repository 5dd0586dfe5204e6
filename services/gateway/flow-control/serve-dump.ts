import { writeResponse } from '../render/write-response.ts';
import type { Exchange } from '../request/exchange.ts';
import { PageNotFound } from '../request/page-not-found.ts';
import { estimatedWork, type FairQueue, type SeatRequest } from './fair-queuing/fair-queue.ts';
import type { FlowControl } from './flow-control.ts';
import type { PriorityLevel } from './priority-levels/priority-levels.ts';
import type { RequestAbout } from './take-seat.ts';

const prefix = '/debug/api_priority_and_fairness/';

/** Whether a path is below that of the tables. */
export function isDumpPath(path: string): boolean {
  return path.startsWith(prefix);
}

/** Answers with a table of what flow control holds (`/debug/api_priority_and_fairness/`). */
export async function serveDump(exchange: Exchange, { levels }: FlowControl): Promise<void> {
  const table = dumpTable(exchange.path.slice(prefix.length), exchange, levels.all);
  await writeResponse(exchange, {
    code: 200,
    contentType: 'text/plain; charset=utf-8',
    body: Buffer.from(table),
  });
}

function dumpTable(name: string, { query }: Exchange, levels: FlowControl['levels']['all']): string {
  switch (name) {
    case 'dump_priority_levels':
      return dumpPriorityLevels(levels);
    case 'dump_queues':
      return dumpQueues(levels);
    case 'dump_requests':
      return dumpRequests(levels, !!query.get('includeRequestDetails'));
    default:
      throw new PageNotFound();
  }
}

const none = '<none>';

/** One row for each priority level. */
function dumpPriorityLevels(levels: readonly PriorityLevel[]): string {
  const header = ['PriorityLevelName', 'ActiveQueues', 'IsIdle', 'IsQuiescing', 'WaitingRequests'].concat([
    'ExecutingRequests',
    'DispatchedRequests',
    'RejectedRequests',
    'TimedoutRequests',
    'CancelledRequests',
  ]);
  const rows = levels.map(({ config, set, isQuiescing }) => {
    if (set === undefined) return [config.name, ...header.slice(1).map(() => none)];
    const { counts } = set;
    return [
      config.name,
      set.queues.filter(queue => queue.waiting.length > 0).length,
      set.isIdle,
      isQuiescing,
      set.waiting,
      set.executing,
      counts.dispatched,
      counts.rejected,
      counts.timedOut,
      counts.cancelled,
    ].map(String);
  });
  return alignedRows([header, ...rows]);
}

/** One row for each queue. */
function dumpQueues(levels: readonly PriorityLevel[]): string {
  const header = ['PriorityLevelName', 'Index', 'PendingRequests', 'ExecutingRequests', 'SeatsInUse'].concat([
    'NextDispatchR',
    'InitialSeatsSum',
    'MaxSeatsSum',
    'TotalWorkSum',
  ]);
  const rows = levels.flatMap(({ config, set }) =>
    set === undefined
      ? [[config.name, ...header.slice(1).map(() => none)]]
      : set.queues.map(queue => queueRow(config.name, queue)),
  );
  return alignedRows([header, ...rows]);
}

/** One row for each request that waits, and for each that executes without a queue. */
function dumpRequests(levels: readonly PriorityLevel[], includeDetails: boolean): string {
  const header = ['PriorityLevelName', 'FlowSchemaName', 'QueueIndex', 'RequestIndexInQueue'].concat(
    ['FlowDistingsher', 'ArriveTime', 'InitialSeats', 'FinalSeats', 'AdditionalLatency'],
    includeDetails ? ['UserName', 'Verb', 'APIPath', 'Namespace', 'Name', 'APIVersion'] : [],
    includeDetails ? ['Resource', 'SubResource'] : [],
  );
  const rows = levels.flatMap(({ config, set }) => {
    if (set === undefined) return [[config.name, ...header.slice(1).map(() => none)]];
    const createRow = (request: SeatRequest, queue: number, place: number) => [
      config.name,
      ...requestCells(request, queue, place),
      ...(includeDetails ? detailCells(request) : []),
    ];
    return [
      ...set.queues.flatMap(({ index, waiting }) =>
        waiting.map((request, place) => createRow(request, index, place)),
      ),
      ...[...set.queueless].map(request => createRow(request, -1, -1)),
    ];
  });
  return alignedRows([header, ...rows]);
}

function queueRow(level: string, queue: FairQueue): string[] {
  const { waiting, index, executing, seatsInUse, nextProgress } = queue;
  const initialSeats = waiting.reduce((sum, { work }) => sum + work.initialSeats, 0);
  const work = waiting.reduce((sum, request) => sum + estimatedWork(request.work), 0);
  return [
    level,
    ...[index, waiting.length, executing, seatsInUse].map(String),
    seatSeconds(nextProgress),
    ...[initialSeats, queue.seatsWaiting].map(String),
    seatSeconds(work),
  ];
}

function requestCells({ flow, work, about }: SeatRequest, queue: number, place: number): string[] {
  const { arrivedAt } = about as RequestAbout; // Every request that takes seats has it.
  return [
    flow.schema,
    String(queue),
    String(place),
    flow.distinguisher,
    new Date(arrivedAt).toISOString(),
    String(work.initialSeats),
    String(work.finalSeats),
    work.finalMs === 0 ? '0s' : `${work.finalMs}ms`,
  ];
}

function detailCells({ about }: SeatRequest): string[] {
  const { user, target } = about as RequestAbout; // As above.
  if (target.kind === 'path') return [user.username, target.verb, target.path, '', '', '', '', ''];
  const { verb, path, namespace, name, group, version, resource, subresource } = target;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return [user.username, verb, path, namespace, name, apiVersion, resource, subresource];
}

function seatSeconds(seatMs: number): string {
  return `${(seatMs / 1000).toFixed(8)}ss`;
}

const leastWidth = 8;

/**
 * Renders rows as Go's tabwriter does for the tables of kube-apiserver: cells end with a comma, and each but the last of a
 * row is filled up to the widest of its column, at least to eight characters.
 */
export function alignedRows(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.slice(0, -1).entries())
      widths[column] = Math.max(widths[column] ?? leastWidth, cell.length + 2);
  return rows
    .map(row => {
      const last = row.length - 1;
      const cells = row.map((cell, column) =>
        column === last ? cell : `${cell},`.padEnd(widths[column] ?? leastWidth),
      );
      return `${cells.join('')}\n`;
    })
    .join('');
}
