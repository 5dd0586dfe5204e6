export * from './generated/admission.ts';
export * from './generated/call-stream.ts';
export * from './generated/kms/encrypted-object.ts';
export * as kmsV1 from './generated/kms/v1beta1.ts';
export * as kmsV2 from './generated/kms/v2alpha1.ts';
export * from './generated/storage.ts';
export * from './generated/token-review.ts';
export * from './generated/watch-event.ts';
export * from './generated/webhook-dispatch.ts';
export {
  type CallContext,
  type Deadline,
  deadlineIn,
  earlierDeadline,
  millisecondsUntil,
  noDeadline,
} from './runtime/call.ts';
export type {
  MethodContract,
  ServiceContract,
  UnaryMethod,
} from './runtime/contract.ts';
export {
  isSampled,
  isTraceparent,
  isTracestate,
  receivedTrace,
  type Span,
  type SpanAttributes,
  type SpanOptions,
  type Trace,
  type TraceContext,
  type Tracer,
  unrecordedTrace,
} from './runtime/trace.ts';
