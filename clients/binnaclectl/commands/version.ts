import type { JsonObject } from '@binnacle/api-objects';
import { switchFlag } from '../arguments/flag.ts';
import { textIn } from '../objects/page.ts';
import { documentText } from '../output/documents.ts';
import { UsageError } from '../output/errors.ts';
import { outputForm } from '../output/output-form.ts';
import { defineCommand } from './command.ts';
import { outputFlag } from './output-flag.ts';

/** Shows the versions of client and server. */
export const version = defineCommand({
  name: 'version',
  usage: '',
  summary: 'Shows the versions of this client and of the server.',
  examples: ['version', 'version --client', 'version -o json'],
  flags: {
    client: switchFlag('only the version of the client'),
    output: outputFlag(['json', 'yaml']),
  },
  async run({ flags, words, open, terminal }) {
    if (words.length > 0) throw new UsageError(`unexpected arguments: ${words.join(' ')}`);
    const form = outputForm(flags.output, ['json', 'yaml']);
    const isDocument = form === 'json' || form === 'yaml';
    // Known also where the server does not answer.
    if (!isDocument) await terminal.out(`Client Version: ${terminal.version}\n`);
    const server = flags.client
      ? undefined
      : await open().client.json<JsonObject>({ method: 'GET', path: '/version' });
    if (isDocument) {
      const versions = {
        clientVersion: { gitVersion: terminal.version },
        ...(server && { serverVersion: server }),
      };
      await terminal.out(documentText(versions, form));
    } else if (server) await terminal.out(`Server Version: ${textIn(server, 'gitVersion')}\n`);
    return 0;
  },
});
