import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../output/errors.ts';
import { completedShells } from '../shells/completed-shells.ts';
import { defineCommand } from './command.ts';

/** Shows the script of a shell that completes command lines. */
export const completion = defineCommand({
  name: 'completion',
  usage: 'SHELL',
  summary: 'Shows the completion script for a shell: bash, zsh or fish.',
  examples: [
    'completion bash > ~/.local/share/bash-completion/completions/binnaclectl',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the array of zsh
    'completion zsh > "${fpath[1]}/_binnaclectl"',
    'completion fish > ~/.config/fish/completions/binnaclectl.fish',
  ],
  flags: {},
  async run({ words, terminal }) {
    const [shell, ...others] = words;
    if (shell === undefined) throw new UsageError('Shell not specified.');
    if (others.length > 0) throw new UsageError('Too many arguments. Expected only the shell type.');
    if (!completedShells.includes(shell))
      throw new UsageError(
        `Unsupported shell type ${JSON.stringify(shell)}, supported are: ${completedShells.join(', ')}`,
      );
    await terminal.out(await readFile(join(import.meta.dirname, `../shells/completion.${shell}`), 'utf8'));
    return 0;
  },
});
