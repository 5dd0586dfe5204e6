import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import { listen } from '@binnacle/connections';
import { startFromFlags } from '@binnacle/standalone';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';
import { startTestServer } from './setup/test-server.ts';

suite('a start with invalid settings is refused', () => {
  const start = (dataDir: string, ...flags: string[]) =>
    startFromFlags(['--port=0', `--data-dir=${dataDir}`, ...flags], {});

  test('for a port in use: nothing is opened, and the message names the flag for another one', async () => {
    await using directory = await createTemporaryDirectory();
    const holder = createServer();
    const port = await listen(holder, { host: '127.0.0.1', port: 0 });
    const dataDir = join(directory.path, 'data');
    await assert.rejects(startFromFlags([`--data-dir=${dataDir}`], { BINNACLE_PORT: String(port) }), {
      name: 'Refusal',
      message: `port ${port} of 127.0.0.1 is in use by another process: end it, or set --port (BINNACLE_PORT) to another port`,
    });
    assert.deepEqual(await readdir(dataDir), []);
    holder.close();
  });

  test('for a data folder in use', async () => {
    await using server = await startTestServer();
    const dataDirectory = dirname(server.standalone.adminConfiguration);
    await assert.rejects(start(dataDirectory), {
      name: 'Refusal',
      message: new RegExp(
        `^the data directory ${join(dataDirectory, 'store')} is in use by process ${process.pid}: end it, or set --data-dir`,
      ),
    });
  });

  test('for a data folder that is a file, and a store file that is not one', async () => {
    await using directory = await createTemporaryDirectory();
    const file = join(directory.path, 'file');
    await writeFile(file, '');
    await assert.rejects(start(file), {
      message: `--data-dir (BINNACLE_DATA_DIR): ${file} is not a folder`,
    });
    await mkdir(join(directory.path, 'store'));
    await writeFile(join(directory.path, 'store/store.mdb'), 'x'.repeat(10_000));
    await assert.rejects(start(directory.path), { name: 'Refusal', message: /store\.mdb is not a store/ });
  });

  test('for unreadable files of flags', async () => {
    await using directory = await createTemporaryDirectory();
    const bad = join(directory.path, 'bad');
    await writeFile(bad, 'bad');
    const flags: [string, RegExp][] = [
      [`--client-ca-file=${bad}`, /^--client-ca-file: .*bad has no certificate$/],
      ['--client-ca-file=/none', /^--client-ca-file: ENOENT: .*'\/none'$/],
      [`--token-auth-file=${bad}`, /^--token-auth-file .*bad: token file, line 1: /],
      [`--service-account-key-file=${bad}`, /^--service-account-key-file .*bad: no key/],
      [`--service-account-signing-key-file=${bad}`, /^--service-account-signing-key-file .*bad: /],
      [`--audit-policy-file=${bad}`, /^--audit-policy-file.*bad/],
      [`--admission-control-config-file=${bad}`, /--admission-control-config-file.*bad/],
      [
        '--authorization-mode=Webhook',
        /^--authorization-mode=Webhook and --authorization-webhook-config-file/,
      ],
    ];
    for (const [flag, message] of flags) {
      await assert.rejects(
        start(directory.path, flag, '--validate-config'),
        { name: 'FlagError', message },
        flag,
      );
    }
    assert.deepEqual(await readdir(directory.path), ['bad'], 'nothing is written');
    await assert.rejects(start(directory.path, '--validate-config'), {
      message: 'the configuration is valid',
    });
  });
});
