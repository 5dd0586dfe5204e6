import { storageContract } from '@binnacle/proto';
import {
  createHealth,
  createLogger,
  createMetrics,
  implementService,
  runService,
  startOperationsServer,
  startRpcServer,
} from '@binnacle/service-kit';
import { allowedCallers } from './allowed-callers.ts';
import { readConfig } from './config.ts';
import { createStorageService } from './storage-service.ts';

await runService({
  name: 'storage',
  async start() {
    const config = await readConfig();
    const log = createLogger({ ...config.log, fields: { service: 'storage' } });
    const metrics = createMetrics();
    const health = createHealth({
      onFailure: (check, error) => log.warn('a health check failed', { check, error }),
    });
    const service = await createStorageService({ ...config.service, log, metrics });
    health.add('backend', async signal => {
      await service.storage.typeRevision(undefined, { signal, deadline: Date.now() + 1500 });
    });
    const operations = await startOperationsServer({ ...config.operations, health, metrics });
    const services = [implementService(storageContract, service.handlers, allowedCallers)];
    const server = await startRpcServer({ ...config.server, services, log, metrics });
    return {
      readyLine: `storage is ready on ${config.server.host}:${server.port}`,
      async stop() {
        health.startShutdown();
        await server.stop();
        await service[Symbol.asyncDispose]();
        await operations[Symbol.asyncDispose]();
      },
    };
  },
});
