export type { CallContext } from './call.ts';
export type {
  MessageCodec,
  MethodContract,
  ServiceContract,
  StreamingMethod,
  UnaryMethod,
} from './contract.ts';
