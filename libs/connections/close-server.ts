import type { Server } from 'node:http';
import type { ConnectionGuard } from './connection-guard.ts';

const closingCheckMs = 50;

/**
 * Closes an HTTP server: it accepts no more connections. Idle connections close at once, others when their request ends,
 * when their client stalls, or after `timeoutMs`. Resolves when no connection is left.
 */
export async function closeServer(server: Server, guard: ConnectionGuard, timeoutMs: number): Promise<void> {
  const closed = new Promise<void>(resolve => {
    server.close(() => resolve());
  });
  guard.startStopping();
  const check = setInterval(() => {
    server.closeIdleConnections();
    void guard.look();
  }, closingCheckMs);
  const deadline = setTimeout(() => guard.closeAll(), timeoutMs);
  await closed;
  clearInterval(check);
  clearTimeout(deadline);
  guard[Symbol.dispose]();
}
