export { FailureLog } from '@binnacle/backend-access';
export { closeServer } from './connections/close-server.ts';
export { ConnectionGuard } from './connections/connection-guard.ts';
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
  lookAtFirstHead,
  responseUnderWay,
  tcpSocketOf,
} from './connections/sockets/socket-internals.ts';
export { type Awaited, StallClock, type StallTimeouts, type Waiting } from './connections/stall-clock.ts';
export { createCallContext, endsAtDeadline, hasEnded, OpenCall, onCallEnd } from './deadline/call-context.ts';
export { withDeadline } from './deadline/with-deadline.ts';
export { watchEventLoop } from './event-loop/watch-event-loop.ts';
export { registerFeatureMetrics } from './feature-gates/register-feature-metrics.ts';
export { addressFlags } from './flags/address-flags.ts';
export {
  booleanFlag,
  choiceFlag,
  durationFlag,
  type Flag,
  integerFlag,
  listFlag,
  optionalBooleanFlag,
  portFlag,
  stringFlag,
} from './flags/flag.ts';
export {
  environmentName,
  FlagError,
  type FlagSpec,
  type FlagValues,
  flagName,
  parseFlags,
  settingsFrom,
} from './flags/parse-flags.ts';
export { parseProgramFlags } from './flags/parse-program-flags.ts';
export { serviceFlags } from './flags/service-flags.ts';
export {
  apiAudiencesFlag,
  changeFeedFlag,
  historyWindowFlag,
  runtimeConfigFlag,
  serviceAccountIssuerFlag,
} from './flags/shared-flags.ts';
export { createHealth, type Health, type HealthCheck, type HealthEndpoint } from './health/health.ts';
export { countRefusedRecords } from './kafka/count-refused-records.ts';
export { kafkaFlags, kafkaFromFlags } from './kafka/kafka-flags.ts';
export { noteDirectFeed } from './kafka/note-direct-feed.ts';
export { type RunningService, runService } from './lifecycle/run-service.ts';
export {
  createProcessEnvironment,
  createServiceEnvironment,
  type ServiceEnvironment,
  serve,
  serveOperations,
} from './lifecycle/service-environment.ts';
export { createLogger, silentLogger } from './log/create-logger.ts';
export type { Logger } from './log/logger.ts';
export { RepeatedWarnings } from './log/repeated-warnings.ts';
export {
  type CounterChild,
  createMetrics,
  type GaugeChild,
  type HistogramChild,
  type Metrics,
} from './metrics/metrics.ts';
export { startOperationsServer } from './operations-server/start-operations-server.ts';
export { ApiNamesRefusal, otherApiNames } from './rpc/api-names-refusal.ts';
export { type AllowedCallers, implementService } from './rpc/service-implementation.ts';
export { connectRpc } from './rpc-client/connect-rpc.ts';
export { PodPreference } from './rpc-server/pod-preference.ts';
export { noteCertificates } from './tls/certificate-metrics.ts';
export { createPki, type Pki, type PkiBackend, pkiPaths } from './tls/create-pki.ts';
export { pemCertificates } from './tls/pem-certificates.ts';
export { loadTls } from './tls/tls-material.ts';
export {
  type BoundObject,
  bindingClaim,
  podTokenSeconds,
  type TokenBinding,
} from './tokens/binding-claim.ts';
export { createTokenSigner, type TokenSigner } from './tokens/create-token-signer.ts';
export { jwkOf, publicKeysFrom } from './tokens/public-keys.ts';
export { secretTokenClaim, secretTokenClaims, secretTokenIssuer } from './tokens/secret-token-claims.ts';
export { algorithmOf, signatureAlgorithms } from './tokens/token-key.ts';
export { nodeOfUser } from './users/node-user.ts';
