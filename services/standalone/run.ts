import { runService } from '@binnacle/service-kit';
import { startFromFlags } from './start-standalone.ts';

await runService({
  name: 'standalone',
  async start(signal) {
    const server = await startFromFlags(process.argv.slice(2), process.env, signal);
    return {
      readyLine: `Binnacle is ready: ${server.url}; export KUBECONFIG=${quoted(server.adminConfiguration)}`,
      stopTimeoutMs: server.stopTimeoutMs,
      stop: async () => server[Symbol.asyncDispose](),
    };
  },
});

/** A path as a shell reads it. */
function quoted(path: string): string {
  return /^[\w./:@+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
