import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { textTable } from '../report/text-table.ts';
import { measureBlocks } from './measure-blocks.ts';

// CPU of the first creates of a new process beside its warm ones, and of its start.
const { values } = parseArgs({
  options: {
    starts: { type: 'string', default: '1' },
    blocks: { type: 'string', default: '20' },
    requests: { type: 'string', default: '3000' },
    bytes: { type: 'string', default: '1024' },
    connections: { type: 'string', default: '16' },
    tree: { type: 'string' },
  },
});
for (let start = 0; start < Number(values.starts); start++) {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-first-requests-'));
  try {
    const measured = await measureBlocks({
      directory,
      tree: values.tree,
      blocks: Number(values.blocks),
      requests: Number(values.requests),
      objectBytes: Number(values.bytes),
      connections: Number(values.connections),
    });
    const { startMillis, startCpuMillis, blocks } = measured;
    console.log(`ready after ${startMillis.toFixed(0)} ms, ${startCpuMillis.toFixed(0)} ms of CPU`);
    const rows = blocks.map(({ mainMicros, otherMicros }, index) => [
      `creates ${index * Number(values.requests) + 1} on`,
      `${(mainMicros + otherMicros).toFixed(0)} µs of CPU`,
      `${mainMicros.toFixed(0)} of the main thread`,
      `${otherMicros.toFixed(0)} of others`,
    ]);
    console.log(textTable(rows).join('\n'));
    const costs = blocks.map(({ mainMicros, otherMicros }) => mainMicros + otherMicros);
    const [first = 0] = costs;
    console.log(`first to last ${(first / (costs.at(-1) ?? first)).toFixed(2)}`);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
