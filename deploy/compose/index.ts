export { feedTopic } from './backend-users.ts';
export { publishingStorage } from './publishing-storage.ts';
export {
  type AddedGateway,
  type Distributed,
  type DistributedOptions,
  startDistributed,
} from './start-distributed.ts';
export { Supervisor } from './supervise.ts';
export type { ServiceName } from './topology.ts';
