export { closeServer } from './close-server.ts';
export { ConnectionGuard } from './connection-guard.ts';
export {
  type ConnectionMetrics,
  createConnectionMetrics,
  noConnectionMetrics,
} from './connection-metrics.ts';
export type { ConnectionTraffic } from './connection-traffic.ts';
export { fitConnections, readDescriptorLimit } from './descriptor-limit.ts';
export { listen } from './listen.ts';
export { getClientAddress } from './proxy-protocol/connection-client.ts';
export {
  allowAnswerBytes,
  bytesTaken,
  bytesWaiting,
  findTcpSocket,
  lookAtFirstHead,
  responseUnderWay,
} from './sockets/socket-internals.ts';
export { type Awaited, StallClock, type StallTimeouts, type Waiting } from './stall-clock.ts';
