export { apiFlags, serviceAccountTokensFromFlags, settingsFromFlags } from './config.ts';
export { createGateway, type Gateway, type GatewayOptions } from './create-gateway.ts';
export type { ServingTls } from './server/create-server.ts';
export { defaultSettings, type GatewaySettings } from './settings.ts';
