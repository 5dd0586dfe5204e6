/** The distributed form for tests, besides its start. */

export { feedTopic } from './backend-users.ts';
export { type BundledProgram, buildServices, bundledProgram, currentBundles } from './service-bundles.ts';
export type { ServiceName } from './service-instances.ts';
export type { AddedGateway, CalledService } from './start-distributed.ts';
export { Supervisor } from './supervise.ts';
