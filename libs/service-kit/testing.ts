/** The parts of services for tests of other packages, besides index.ts. */

export { featureGatesFrom } from './flags/feature-gates-flag.ts';
export { localClient } from './rpc-client/local-client.ts';
export { startRpcServer } from './rpc-server/start-rpc-server.ts';
export { withoutHotMethods } from './test-drivers/without-hot-methods.ts';
export {
  type IssuedCertificate,
  issueAuthority,
  issueCertificate,
  issueIntermediates,
} from './tls/issue-certificate.ts';
export type { TlsMaterial } from './tls/tls-material.ts';
export { keyIdOf } from './tokens/token-key.ts';
