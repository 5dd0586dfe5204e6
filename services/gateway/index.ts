export { createGateway, type Gateway } from './create-gateway.ts';
export { issuerDiscoveryFromFlags, serviceAccountTokensFromFlags } from './files-from-flags.ts';
export { apiFlags, gatewayFlags } from './settings/gateway-flags.ts';
