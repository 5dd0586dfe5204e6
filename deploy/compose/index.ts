export { publishingStorage } from './publishing-storage.ts';
export { type Distributed, type DistributedOptions, startDistributed } from './start-distributed.ts';
