export {
  type CallContextOptions,
  createCallContext,
  type OwnedCallContext,
} from './deadline/call-context.ts';
export { withDeadline } from './deadline/with-deadline.ts';
export { createLogger, type LoggerOptions, silentLogger } from './log/create-logger.ts';
export type { LogFields, Logger, LogLevel } from './log/logger.ts';
export {
  type CounterChild,
  createMetrics,
  type GaugeChild,
  type HistogramChild,
  type MetricFamily,
  type MetricOptions,
  type Metrics,
} from './metrics/metrics.ts';
export { implementService, type ServiceImplementation } from './rpc/service-implementation.ts';
export type { TransportSecurity } from './rpc/transport-security.ts';
export { connectRpc, type RpcClient, type RpcClientOptions } from './rpc-client/connect-rpc.ts';
export { type LocalClientOptions, localClient } from './rpc-client/local-client.ts';
export { type RpcServer, type RpcServerOptions, startRpcServer } from './rpc-server/start-rpc-server.ts';
export { createPki, type Pki, type PkiClient, type PkiNames, pkiPaths } from './tls/create-pki.ts';
export { loadTls, type TlsMaterial } from './tls/tls-material.ts';
