import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findFreePort, installBackends } from '@binnacle/backends';
import { documentFiles, readCommandBlocks } from './test-drivers/command-blocks.ts';
import { symptomsIn } from './test-drivers/symptoms.ts';
import { Clone, Terminal } from './test-drivers/terminal.ts';

const resources = new AsyncDisposableStack();
after(() => resources.disposeAsync());
/** Milliseconds for the commands of a document, on a busy machine too. */
const timeout = 600_000;
const clone = resources.use(new Clone());
const credentials = join(clone.home, 'credentials');
const blocks = documentFiles()
  .flatMap(file => readCommandBlocks(file))
  .filter(({ setting }) => setting === 'distributed' || setting === 'etcd');
// As the page on binnaclectl has it.
const path = [join(clone.folder, 'bin'), process.env['PATH']].join(delimiter);
let port = 0;
let etcd = '';

function openTerminal(setting: string, environment: Readonly<Record<string, string>> = {}): Terminal {
  return new Terminal({
    clone,
    ...(setting === 'etcd' ? { folder: credentials } : {}),
    environment: {
      BINNACLE_PORT: String(port),
      ...(setting === 'etcd' ? { PATH: path } : {}),
      ...environment,
    },
    localize: commands =>
      commands
        .replaceAll('https://etcd:2379', etcd)
        .replaceAll(/\b644([345])\b/g, (_, digit: string) => String(port + Number(digit) - 3)),
  });
}

before(async () => {
  await installBackends(['etcd', 'redis', 'kafka', 'kubectl']);
  const starting = blocks.find(({ outcome }) => outcome === 'starts');
  assert.ok(starting, 'no block starts the processes');
  port = await findFreePort();
  resources.use(await openTerminal('distributed').start(starting));
  const run = join(clone.folder, '.binnacle/run');
  const etcdArguments = readFileSync(
    `/proc/${readFileSync(join(run, 'etcd-1.pid'), 'utf8').trim()}/cmdline`,
    'utf8',
  ).split('\0');
  etcd = etcdArguments[etcdArguments.indexOf('--listen-client-urls') + 1] ?? '';
  assert.match(etcd, /^https:/);
  putCredentials();
});

/** The files that the documents name, as an operator has them beside the commands. */
function putCredentials(): void {
  const of = (user: string) => join(clone.folder, '.binnacle/pki/backends/etcd', user);
  mkdirSync(credentials);
  for (const file of ['ca.crt', 'tls.crt', 'tls.key', 'password'])
    copyFileSync(join(of('storage'), file), join(credentials, file));
  for (const suffix of ['crt', 'key'])
    copyFileSync(join(of('administrator'), `tls.${suffix}`), join(credentials, `root.${suffix}`));
}

describe('the commands for the distributed form are run as they are printed', () => {
  for (const file of new Set(blocks.map(block => block.file)))
    it(file, { timeout }, async () => {
      const terminals = new Map(['distributed', 'etcd'].map(name => [name, openTerminal(name)]));
      for (const block of blocks.filter(each => each.file === file && each.outcome !== 'starts'))
        await terminals.get(block.setting)?.run(block);
    });
});

describe('the symptoms of the distributed form come about and have the message of the page', () => {
  const environment = { KUBECONFIG: join(clone.folder, '.binnacle/admin.conf') };
  for (const { heading, message, commands } of symptomsIn('distributed'))
    it(heading, { timeout }, async () => {
      const { output } = await openTerminal('distributed', environment).attempt(commands);
      assert.ok(message.length > 0, `the page has no message:\n${output}`);
      for (const line of message) assert.match(output, line);
    });
});
