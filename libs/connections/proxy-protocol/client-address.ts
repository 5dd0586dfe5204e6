import type { Socket } from 'node:net';
import { findTcpSocket } from '../sockets/socket-internals.ts';

const clients = new WeakMap<Socket, string>();

/** Notes for whom a balancer opened a connection. */
export function setClientAddress(tcp: Socket, address: string): void {
  clients.set(tcp, address);
}

/** The address of a connection's client: what the balancer said, or the address at its other end. */
export function getClientAddress(stream: Socket): string | undefined {
  return clients.get(findTcpSocket(stream)) ?? stream.remoteAddress;
}
