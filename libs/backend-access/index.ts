export { BackendRefusal, backendRefusalIn, Refusal, type RefusalKind, refusalIn } from './backend-refusal.ts';
export {
  type ClientTls,
  type ClientTlsFiles,
  followClientTls,
  latestTlsOptions,
  readSecretFile,
} from './client-tls.ts';
export { FollowedFiles } from './followed-files.ts';
export { type BackendAddress, isTlsFailure, speaksTls } from './tls-failure.ts';
export { assertUsablePair } from './usable-pair.ts';
