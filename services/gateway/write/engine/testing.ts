/** The write engine, for its tests: they run it on real services. */

export { alwaysAllow } from '../../authorization/authorizer.ts';
export type { ApiRequest } from '../../request/api-request.ts';
export { KeyLocks } from './key-locks.ts';
export { type EngineServices, runWrite } from './run-write.ts';
export type { Basis, Proposal, WritePlan } from './write-plan.ts';
