export { publishingStorage } from './publishing-storage.ts';
export { type Distributed, startDistributed } from './start-distributed.ts';
