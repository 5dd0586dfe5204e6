export { createGateway, type Gateway, type GatewayOptions } from './create-gateway.ts';
export { serviceAccountTokensFromFlags } from './files-from-flags.ts';
export { parseAccept } from './negotiate/parse-accept.ts';
export { decodeContinueToken, encodeContinueToken } from './read/continue-token.ts';
export { parseRequestTarget } from './request/parse-request-target.ts';
export type { ServingTls } from './server/create-server.ts';
export { apiFlags, gatewayFlags } from './settings/gateway-flags.ts';
export { type ClientFrameHandlers, ClientFrames } from './watch/web-socket/client-frames.ts';
