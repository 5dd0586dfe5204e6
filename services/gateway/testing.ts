/** The gateway for tests of other packages: its readers of requests, and the write engine on real services. */

export { alwaysAllow } from './authorization/authorizer.ts';
export {
  comparable,
  completed,
  nameFromObject,
  releaseObjects,
} from './bootstrap/test-drivers/release-objects.ts';
export { decodeContinueToken, encodeContinueToken } from './read/continue-token.ts';
export { parseAccept } from './render/parse-accept.ts';
export type { ApiRequest, ApiResult } from './request/api-request.ts';
export { parseRequestTarget } from './request/parse-request-target.ts';
export { ClientFrames } from './watch/framing/client-frames.ts';
export { runWrite, type Write, type WriteServices } from './write/engine/run-write.ts';
export { KeyLocks } from './write/engine/write-locks.ts';
