import assert from 'node:assert/strict';
import type { Server } from 'node:net';

/** The port that a server of a test listens on; a test whose server does not listen on one fails. */
export function findPort(server: Pick<Server, 'address'>): number {
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null, 'the server listens on no port');
  return address.port;
}
