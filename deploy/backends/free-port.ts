import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const lowestPort = 15_000;
const highestPort = 32_000;

/**
 * A TCP port of 127.0.0.1 on which nobody listens now.
 *
 * It lies below the range from which the system takes the local ports of outgoing connections. A server
 * that is killed and started again on its port therefore finds it free: a client that tries to reach the
 * dead server can neither be given that port nor be connected to itself.
 */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(lowestPort, highestPort);
    if (await canListen(port)) return port;
  }
  throw new Error(`no free port between ${lowestPort} and ${highestPort}`);
}

/** Different free ports, that many. */
export async function findFreePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await findFreePort());
  return [...ports];
}

function canListen(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
