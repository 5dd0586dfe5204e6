export { createGateway, type Gateway } from './create-gateway.ts';
export { authorizerFilesFromFlags, serviceAccountTokensFromFlags } from './files-from-flags.ts';
export { type AccessPolicy, createAccessCheck, createAccessPolicy } from './measured-access.ts';
export { apiFlags, gatewayFlags } from './settings/gateway-flags.ts';
