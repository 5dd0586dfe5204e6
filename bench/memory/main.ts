import { parseArgs } from 'node:util';
import { measureMemory } from './measure-memory.ts';

// Memory of the standalone form by what holds it: empty, with objects, and after updates of some of them.
const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '60000' },
    bytes: { type: 'string', default: '1024' },
    updates: { type: 'string', default: '12000' },
    connections: { type: 'string', default: '32' },
    snapshot: { type: 'string' },
    tree: { type: 'string' },
  },
});
const rows = await measureMemory({
  objects: Number(values.objects),
  objectBytes: Number(values.bytes),
  updates: Number(values.updates),
  connections: Number(values.connections),
  snapshotFile: values.snapshot,
  tree: values.tree,
});
console.table(rows);
