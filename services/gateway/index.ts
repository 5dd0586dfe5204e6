export { apiFlags, gatewayFlags, serviceAccountTokensFromFlags, settingsFromFlags } from './config.ts';
export { createGateway, type Gateway, type GatewayOptions } from './create-gateway.ts';
export { parseAccept } from './negotiate/parse-accept.ts';
export { decodeContinueToken, encodeContinueToken } from './read/continue-token.ts';
export { parseRequestTarget } from './request-info/parse-request-target.ts';
export type { ServingTls } from './server/create-server.ts';
export { defaultSettings, type GatewaySettings } from './settings.ts';
export { type ClientFrameHandlers, ClientFrames } from './watch/web-socket/client-frames.ts';
