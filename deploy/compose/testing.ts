/** What tests use of the distributed form beside starting it. */

export { feedTopic } from './backend-users.ts';
export type { ServiceName } from './service-instances.ts';
export type { AddedGateway } from './start-distributed.ts';
export { Supervisor } from './supervise.ts';
