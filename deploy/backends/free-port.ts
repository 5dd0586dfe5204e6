import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

const lowestPort = 15_000;
const highestPort = 32_000;
/** A port is given out with the ones after it: a form's gateways listen on neighbours. */
const portsTogether = 4;
const attempts = 1000;
const abandonedAfterMs = 60 * 60_000;

/**
 * A TCP port of 127.0.0.1 on which no process listens now, nor on the three after it. No other process that asks gets
 * any of them while this one lives: the server may take its time until it listens.
 *
 * It lies below the range from which the system takes the local ports of outgoing connections. A server
 * that is killed and started again on its port therefore finds it free: a client that tries to reach the
 * dead server can neither be given that port nor be connected to itself.
 */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = lowestPort + portsTogether * randomInt((highestPort - lowestPort) / portsTogether);
    if (!reserve(port)) continue;
    const neighbours = Array.from({ length: portsTogether }, (_, i) => canListen(port + i));
    if ((await Promise.all(neighbours)).every(Boolean)) return port;
  }
  throw new Error(`no free port between ${lowestPort} and ${highestPort}`);
}

/** Different free ports, that many. */
export async function findFreePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await findFreePort());
  return [...ports];
}

const reserved = new Set<string>();

/** Writes this process down as the one that has a port; false when another process has it, or this one already. */
function reserve(port: number): boolean {
  const directory = join(tmpdir(), `binnacle-ports-${userInfo().uid}`);
  mkdirSync(directory, { recursive: true });
  const file = join(directory, String(port));
  if (reserved.has(file)) return false;
  removeAbandoned(file);
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  if (reserved.size === 0) process.once('exit', giveBack);
  reserved.add(file);
  return true;
}

function giveBack(): void {
  for (const file of reserved) rmSync(file, { force: true });
}

/**
 * Removes what a process left that was killed long ago. Not at once: two processes that find the same file could each take
 * away what the other has just written.
 */
function removeAbandoned(file: string): void {
  try {
    if (Date.now() - statSync(file).mtimeMs < abandonedAfterMs) return;
    if (!isAlive(Number(readFileSync(file, 'utf8')))) rmSync(file, { force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
