import { writeResponse } from '../render/write-response.ts';
import type { Exchange } from '../request/exchange.ts';
import { PageNotFound } from '../request/page-not-found.ts';
import { dumpPriorityLevels, dumpQueues, dumpRequests } from './dump-tables.ts';
import type { FlowControl } from './flow-control.ts';

const prefix = '/debug/api_priority_and_fairness/';

/** Whether a path is below that of the tables. */
export function isDumpPath(path: string): boolean {
  return path.startsWith(prefix);
}

/** Answers with a table of what flow control holds (`/debug/api_priority_and_fairness/`). */
export async function serveDump(exchange: Exchange, { levels }: FlowControl): Promise<void> {
  const table = tableOf(exchange.path.slice(prefix.length), exchange, levels.all);
  await writeResponse(exchange, {
    code: 200,
    contentType: 'text/plain; charset=utf-8',
    body: Buffer.from(table),
  });
}

function tableOf(name: string, { query }: Exchange, levels: FlowControl['levels']['all']): string {
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
