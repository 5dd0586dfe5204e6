export { createHealth, type Health, type HealthCheck, type HealthEndpoint } from './health/health.ts';
export { countRefusedRecords, noteDirectFeed } from './kafka/feed-metrics.ts';
export { kafkaFlags, kafkaFromFlags } from './kafka/kafka-flags.ts';
export { type RunningService, runService } from './lifecycle/run-service.ts';
export {
  createProcessEnvironment,
  createServiceEnvironment,
  type ServiceEnvironment,
  serve,
  serveOperations,
} from './lifecycle/service-environment.ts';
export { startOperationsServer } from './operations-server/start-operations-server.ts';
