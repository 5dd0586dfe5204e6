import { startFromFlags } from '@binnacle/standalone';
import '../ceremony/count-in-server.ts';

// Several servers of the standalone form in one process: each argument has the flags of one, as JSON. Sends their addresses when all are ready.
const urls: string[] = [];
for (const flags of process.argv.slice(2)) {
  const { url } = await startFromFlags(JSON.parse(flags) as string[], {}); // The bench wrote it.
  urls.push(url);
}
process.send?.(urls);
