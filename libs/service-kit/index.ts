export { FailureLog, type FailureLogOptions, type FailureLogTarget } from '@binnacle/backend-access';
export { closeServer } from './connections/close-server.ts';
export {
  ConnectionGuard,
  type ConnectionGuardOptions,
  type ConnectionLimits,
} from './connections/connection-guard.ts';
export {
  type ConnectionMetrics,
  createConnectionMetrics,
  noConnectionMetrics,
} from './connections/connection-metrics.ts';
export type { ConnectionTraffic } from './connections/connection-traffic.ts';
export { fitConnections, readDescriptorLimit } from './connections/descriptor-limit.ts';
export { clientOf } from './connections/proxy-protocol/client-of.ts';
export {
  allowAnswerBytes,
  bytesTaken,
  bytesWaiting,
  responseUnderWay,
  tcpSocketOf,
} from './connections/sockets/socket-internals.ts';
export { type Awaited, StallClock, type StallTimeouts, type Waiting } from './connections/stall-clock.ts';
export {
  type CallContextOptions,
  createCallContext,
  type OwnedCallContext,
} from './deadline/call-context.ts';
export { withDeadline } from './deadline/with-deadline.ts';
export { type WatchEventLoopOptions, watchEventLoop } from './event-loop/watch-event-loop.ts';
export type { FeatureGate, FeatureGates, FeatureStage, FeatureState } from './feature-gates/feature-gate.ts';
export type { FeatureName } from './feature-gates/known-gates.ts';
export { registerFeatureMetrics } from './feature-gates/register-feature-metrics.ts';
export { addressFlags } from './flags/address-flags.ts';
export {
  type BinnacleGates,
  featureGatesFlag,
  featureGatesFrom,
} from './flags/feature-gates-flag.ts';
export {
  type Bounds,
  booleanFlag,
  choiceFlag,
  durationFlag,
  type Flag,
  type FlagOptions,
  integerFlag,
  listFlag,
  optionalBooleanFlag,
  parseDuration,
  portFlag,
  stringFlag,
} from './flags/flag.ts';
export {
  environmentName,
  FlagError,
  type FlagSpec,
  type FlagValues,
  flagName,
  flagsHelp,
  HelpRequested,
  parseFlags,
  settingsFrom,
} from './flags/parse-flags.ts';
export { serviceFlags } from './flags/service-flags.ts';
export {
  apiAudiencesFlag,
  changeFeedFlag,
  historyWindowFlag,
  runtimeConfigFlag,
  serviceAccountIssuerFlag,
} from './flags/shared-flags.ts';
export {
  createHealth,
  type Health,
  type HealthAnswer,
  type HealthCheck,
  type HealthEndpoint,
  type HealthOptions,
  type HealthRequest,
} from './health/health.ts';
export { healthRoutes } from './health/health-routes.ts';
export { countRefusedRecords } from './kafka/count-refused-records.ts';
export { type KafkaFeedAccess, kafkaFlags, kafkaFromFlags } from './kafka/kafka-flags.ts';
export { type RunningService, type RunServiceOptions, runService } from './lifecycle/run-service.ts';
export {
  createProcessEnvironment,
  createServiceEnvironment,
  type ProcessEnvironment,
  type ServeOperationsOptions,
  type ServeOptions,
  type ServiceEnvironment,
  securityFrom,
  serve,
  serveOperations,
} from './lifecycle/service-environment.ts';
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
export {
  type OperationsServer,
  type OperationsServerOptions,
  startOperationsServer,
} from './operations-server/start-operations-server.ts';
export {
  type AllowedCallers,
  implementService,
  type ServiceImplementation,
} from './rpc/service-implementation.ts';
export type { TransportSecurity } from './rpc/transport-security.ts';
export { connectRpc, type RpcClient, type RpcClientOptions } from './rpc-client/connect-rpc.ts';
export { type LocalClientOptions, localClient } from './rpc-client/local-client.ts';
export type { LookupAll } from './rpc-client/resolve-addresses.ts';
export { PodPreference } from './rpc-server/pod-preference.ts';
export { type RpcServer, type RpcServerOptions, startRpcServer } from './rpc-server/start-rpc-server.ts';
export { noteCertificates } from './tls/certificate-metrics.ts';
export {
  createPki,
  type Pki,
  type PkiBackend,
  type PkiClient,
  type PkiNames,
  pkiPaths,
} from './tls/create-pki.ts';
export {
  type CertificateRequest,
  type IssuedCertificate,
  issueCertificate,
} from './tls/issue-certificate.ts';
export { pemCertificates } from './tls/pem-certificates.ts';
export { loadTls, type TlsMaterial } from './tls/tls-material.ts';
export { type BoundObject, bindingClaim, type TokenBinding } from './tokens/binding-claim.ts';
export { createTokenSigner, type TokenSigner } from './tokens/create-token-signer.ts';
export { algorithmOf, keyIdOf, signatureAlgorithms } from './tokens/token-key.ts';
export {
  createChildSpan,
  createTrace,
  formatTraceparent,
  parseTraceparent,
  type TraceContext,
} from './trace/traceparent.ts';
export { createTracer, type Span, type SpanRecord, type Tracer, type TracerOptions } from './trace/tracer.ts';
