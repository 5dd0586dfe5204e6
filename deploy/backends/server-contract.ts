import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { BackendOptions, BackendServer } from './backend-server.ts';
import { createDataDirectory } from './data-directory.ts';
import { findFreePort } from './free-port.ts';

/** Starts a server of the kind under test. */
type StartServer = (options: BackendOptions) => Promise<BackendServer>;

/** Registers what every backend server must do, whichever it is; `answers` asks it one real question. */
export function registerServerContractTests(
  start: StartServer,
  answers: (server: BackendServer) => Promise<boolean>,
): void {
  test('a server serves on a free port once it is started, and ends when it is stopped', async () => {
    const server = await start({});
    assert.ok(await answers(server));
    assert.ok(isAlive(server.pid!));
    const { pid, dataDirectory } = server;
    await server.stop();
    assert.equal(server.running, false);
    assert.ok(!isAlive(pid!));
    await server[Symbol.asyncDispose]();
    assert.ok(!existsSync(dataDirectory));
  });

  test('a server comes back on the same port and data after kill -9', async () => {
    await using server = await start({});
    const { port, pid } = server;
    await server.kill();
    await assert.rejects(answers(server));
    await server.restart();
    assert.equal(server.port, port);
    assert.notEqual(server.pid, pid);
    assert.ok(await answers(server));
  });

  test('a server uses the given port, data folder and files', async () => {
    const data = createDataDirectory('given', undefined);
    const port = await findFreePort();
    const pidFile = join(data.path, 'server.pid');
    const logFile = join(data.path, 'logs/server.log');
    const dataDirectory = join(data.path, 'data');
    const server = await start({ port, dataDirectory, pidFile, logFile });
    assert.equal(server.address, `127.0.0.1:${port}`);
    assert.equal(readFileSync(pidFile, 'utf8').trim(), String(server.pid));
    assert.ok(existsSync(logFile));
    await server[Symbol.asyncDispose]();
    assert.ok(!existsSync(pidFile));
    assert.ok(existsSync(dataDirectory));
    data.remove();
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
