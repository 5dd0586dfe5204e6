import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { findFreePort, installBackends, type ManagedProcess } from '@binnacle/backends';
import { type CommandBlock, documentFiles, readCommandBlocks } from './test-drivers/command-blocks.ts';
import { provokedHeadings, readMessages, symptomsIn } from './test-drivers/symptoms.ts';
import { Clone, Terminal } from './test-drivers/terminal.ts';

await installBackends(['kubectl']);
const port = String(await findFreePort());
const resources = new AsyncDisposableStack();
/** Milliseconds for the commands of a document, on a busy machine too. */
const timeout = 600_000;
const clone = resources.use(new Clone());
after(() => resources.disposeAsync());

const isOfThisForm = ({ setting }: CommandBlock) => setting === 'standalone' || setting === 'stopped';
const documents = documentFiles()
  .map(file => ({ file, blocks: readCommandBlocks(file).filter(isOfThisForm) }))
  .filter(({ blocks }) => blocks.length > 0)
  // The README starts the server.
  .toSorted((a, b) => Number(b.file === 'README.md') - Number(a.file === 'README.md'));
const starting = documents[0]?.blocks.find(({ outcome }) => outcome === 'starts');
let server: ManagedProcess | undefined;

function openTerminal(environment: Readonly<Record<string, string>> = {}): Terminal {
  return new Terminal({
    clone,
    environment: { BINNACLE_PORT: port, ...environment },
    localize: commands => commands.replaceAll('6443', port),
  });
}

/** Starts or stops the server, as the setting of a block needs it. */
async function reach(setting: CommandBlock['setting']): Promise<void> {
  if (setting === 'stopped') {
    await server?.[Symbol.asyncDispose]();
    server = undefined;
  } else if (server === undefined) {
    assert.ok(starting, 'the README has no block that starts the server');
    server = resources.use(await openTerminal().start(starting));
  }
}

describe('the symptoms of one process come about and have the message of the page', () => {
  const environment = { KUBECONFIG: join(clone.folder, '.binnacle/admin.conf') };
  for (const setting of ['standalone', 'stopped'] as const)
    for (const { heading, message, commands } of symptomsIn(setting))
      it(heading, { timeout }, async () => {
        await reach(setting);
        const { output } = await openTerminal(environment).attempt(commands);
        assert.ok(message.length > 0, `the page has no message:\n${output}`);
        for (const line of message) assert.match(output, line);
      });

  it('each symptom of the page comes about in a test', () => {
    assert.deepEqual([...readMessages().keys()].toSorted(), provokedHeadings().toSorted());
  });
});

// After the symptoms, whose objects the page on troubleshooting shows and mends.
describe('the commands for one process are run as they are printed', () => {
  for (const { file, blocks } of documents)
    it(file, { timeout }, async () => {
      const terminal = openTerminal();
      for (const block of blocks) {
        await reach(block.setting);
        if (block.outcome !== 'starts') await terminal.run(block);
      }
    });
});
