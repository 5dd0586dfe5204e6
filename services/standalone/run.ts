import { relative } from 'node:path';
import { runService } from '@binnacle/service-kit';
import { startFromFlags } from './start-standalone.ts';

await runService({
  name: 'standalone',
  async start() {
    const server = await startFromFlags(process.argv.slice(2), process.env);
    const configuration = relative(process.cwd(), server.adminConfiguration);
    return {
      readyLine: `Binnacle is ready: ${server.url} (client configuration ${configuration})`,
      stopTimeoutMs: server.stopTimeoutMs,
      stop: async () => server[Symbol.asyncDispose](),
    };
  },
});
