import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { findFreePort, type ManagedProcess, startManagedProcess } from '@binnacle/backends';
import { restartByName } from './restart-by-name.ts';
import { Supervisor } from './supervise.ts';

const directory = mkdtempSync(join(tmpdir(), 'binnacle-restart-'));
after(() => rmSync(directory, { recursive: true, force: true }));

/** A service that is ready at its third question. */
const program = `
  let questions = 0;
  require('node:http')
    .createServer((_, answer) => answer.writeHead(++questions < 3 ? 503 : 200).end(String(questions)))
    .listen(Number(process.argv[1]), '127.0.0.1');
`;

function start(name: string, port: number): Promise<ManagedProcess> {
  return startManagedProcess({
    name,
    command: process.execPath,
    arguments: ['-e', program, String(port)],
    logFile: join(directory, `${name}.log`),
  });
}

test('a service is restarted and waited for, and names that there are not are told', async () => {
  const port = await findFreePort();
  await using gateway = await start('gateway-1', port);
  await using etcd = await start('etcd-1', await findFreePort());
  await using supervisor = new Supervisor({ report: () => {} });
  const form = {
    processes: new Map([gateway, etcd].map(managed => [managed.name, managed])),
    operationsPort: () => port,
  };
  const pids = [gateway.pid, etcd.pid];
  assert.equal(await restartByName('gateway-1', form, supervisor), 'gateway-1 is ready');
  assert.notEqual(gateway.pid, pids[0]);
  // Not before it said so: two questions were answered with 503.
  assert.ok(Number(await (await fetch(`http://127.0.0.1:${port}`)).text()) > 3);
  assert.equal(await restartByName('etcd-1', form, supervisor), 'etcd-1 is ready');
  assert.notEqual(etcd.pid, pids[1]);
  await assert.rejects(
    restartByName('gateway-7', form, supervisor),
    /no process "gateway-7": there are etcd-1, gateway-1$/,
  );
});
