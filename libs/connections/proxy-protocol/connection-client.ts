import type { Socket } from 'node:net';
import { findTcpSocket } from '../sockets/socket-internals.ts';

const clients = new WeakMap<Socket, string>();

/** Records the address of the client for which a balancer opened a connection. */
export function setClientAddress(tcp: Socket, address: string): void {
  clients.set(tcp, address);
}

/** Returns the address of a connection's client: the one that the balancer sent, or else that of the peer. */
export function getClientAddress(stream: Socket): string | undefined {
  return clients.get(findTcpSocket(stream)) ?? stream.remoteAddress;
}
