export { restIdleConnections } from './rest-idle-connections.ts';
