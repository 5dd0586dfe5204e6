export * from './generated/admission.ts';
export * from './generated/call-stream.ts';
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
} from './runtime/contract.ts';
