import { readFileSync } from 'node:fs';
import { connect } from '../load/connect.ts';
import { readProcessUsage } from '../measure/process-usage.ts';
import type { MeasuredServer } from '../server/measured-server.ts';
import type { Memory } from './growth-report.ts';

/** Reads the memory of every process of a server; the heap is that of the process's own metrics. */
export async function readMemory(server: MeasuredServer): Promise<Record<string, Memory>> {
  const entries = await Promise.all(
    [...server.pids].map(async ([name, pid]) => {
      const metrics = await readMetrics(server, pid).catch(() => '');
      const memory: Memory = {
        resident: readProcessUsage(pid).residentBytes,
        heap: gaugeFrom(metrics, 'nodejs_heap_size_used_bytes'),
        external: gaugeFrom(metrics, 'nodejs_external_memory_bytes'),
      };
      return [name, memory] as const;
    }),
  );
  return Object.fromEntries(entries);
}

function gaugeFrom(metrics: string, name: string): number | undefined {
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1];
  return value === undefined ? undefined : Number(value);
}

/** The metrics of a service; empty for a process that has none. */
async function readMetrics({ form, target }: MeasuredServer, pid: number): Promise<string> {
  const port = /--operations-port=(\d+)/.exec(readFileSync(`/proc/${pid}/cmdline`, 'latin1'))?.[1];
  if (port !== undefined) return await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  if (form !== 'standalone') return '';
  const connection = connect(target, 1);
  try {
    const response = await connection.request({ method: 'GET', path: '/metrics', accept: 'text/plain' });
    let text = '';
    for await (const part of response.setEncoding('utf8')) text += part;
    return text;
  } finally {
    connection.close();
  }
}
