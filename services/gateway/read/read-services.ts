import type { GatewayServices } from '../pipeline/api-request.ts';
import type { ConsistentReads } from './consistent-read.ts';

/** What the reading verbs work with. */
export interface ReadServices extends Pick<GatewayServices, 'storage' | 'watchCache'> {
  readonly consistentReads: ConsistentReads;
}
