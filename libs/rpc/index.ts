export { connectRpc } from './client/connect-rpc.ts';
export { PeerRefusals } from './client/peer-refusals.ts';
export { createCallContext, endsAtDeadline, hasEnded, OpenCall, onCallEnd } from './deadline/call-context.ts';
export { withDeadline } from './deadline/with-deadline.ts';
export { ApiNamesRefusal, otherApiNames } from './protocol/api-names-refusal.ts';
export {
  type AllowedCallers,
  implementService,
  type ServiceImplementation,
} from './protocol/service-implementation.ts';
export type { TransportSecurity } from './protocol/transport-security.ts';
export { PodPreference } from './server/pod-preference.ts';
export { startRpcServer } from './server/start-rpc-server.ts';
export { inSpan, traceFields } from './trace/in-span.ts';
