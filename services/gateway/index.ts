export { auditFromFlags } from './audit/audit-from-flags.ts';
export { authorizerFilesFromFlags } from './authorization/modes/authorizer-files-from-flags.ts';
export { createGateway, type Gateway } from './create-gateway.ts';
export { issuerDiscoveryFromFlags } from './documents/issuer-documents.ts';
export { clientAuthoritiesFromFlags } from './server/certificates-from-flags.ts';
export { apiFlags, gatewayFlags } from './settings/gateway-flags.ts';
export { serviceAccountTokensFromFlags } from './subresources/token-issuer.ts';
