import { errorMessage } from '@binnacle/status-errors';
import { CommandError } from '../output/errors.ts';
import { isAbsentProgram } from '../session/run-program.ts';
import type { Terminal } from '../session/terminal.ts';

/** The command of an editor, up to the file. */
interface Editor {
  readonly words: readonly string[];
  /** Whether the last word is a line for a shell, to which the file is added. */
  readonly isShellLine: boolean;
}

/**
 * The editor of `KUBE_EDITOR`, of `EDITOR`, or else `vi`. Words are divided by spaces; a command with quotes or backslashes is run
 * by the shell that `SHELL` names.
 */
export function editorFrom(env: Terminal['env']): Editor {
  const command = env['KUBE_EDITOR'] || env['EDITOR'] || 'vi';
  if (command.includes(' ') && /["'\\]/.test(command))
    return { words: [env['SHELL'] || '/bin/bash', '-c', command], isShellLine: true };
  return { words: command.split(' ').filter(word => word !== ''), isShellLine: false };
}

/** Lets the user edit a file, and resolves when the editor has ended. Throws a `CommandError` when it fails. */
export async function runEditor(terminal: Terminal, path: string): Promise<void> {
  const { words, isShellLine } = editorFrom(terminal.env);
  const [program = '', ...args] = isShellLine
    ? [...words.slice(0, -1), `${words.at(-1)} ${JSON.stringify(path)}`]
    : [...words, path];
  const shown = JSON.stringify(words.join(' '));
  let code: number;
  try {
    code = await terminal.runProgram(program, args);
  } catch (cause) {
    throw new CommandError(
      isAbsentProgram(cause)
        ? `unable to launch the editor ${shown}`
        : `there was a problem with the editor ${shown}: ${errorMessage(cause)}`,
      { cause },
    );
  }
  if (code !== 0) throw new CommandError(`there was a problem with the editor ${shown}`);
}
