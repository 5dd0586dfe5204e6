import type { FlagTable, FlagValues } from '../arguments/flag.ts';
import { globalFlags } from '../arguments/global-flags.ts';
import { parseArguments } from '../arguments/parse-arguments.ts';
import { openSession, type Session, type SessionOptions } from '../session/session.ts';
import type { Terminal } from '../session/terminal.ts';

/** The input of a command. */
export interface CommandInput<Table extends FlagTable> {
  readonly flags: FlagValues<Table & typeof globalFlags>;
  /** The words after the command's name. */
  readonly words: readonly string[];
  readonly terminal: Terminal;
  /** Reads the configuration; nothing is connected before the first request. */
  readonly open: (options?: SessionOptions) => Session;
}

/** A command as its file declares it. */
interface CommandDeclaration<Table extends FlagTable> {
  /** Its words: `auth can-i`. */
  readonly name: string;
  /** The words that follow the name on a command line; shells complete TYPE, NAME, VERB, CONTEXT, SHELL and FILE. */
  readonly usage: string;
  /** One sentence, which ends with a full stop. */
  readonly summary: string;
  readonly examples: readonly string[];
  readonly flags: Table;
  /** The exit code of failures and of wrong command lines; 1 when not given. */
  readonly failureCode?: number;
  /** Resolves with the exit code. */
  readonly run: (input: CommandInput<Table>) => Promise<number>;
}

/** A command of the table of commands. */
export interface Command extends Omit<CommandDeclaration<FlagTable>, 'run'> {
  /** Runs the command; `argv` is the whole command line. */
  readonly run: (argv: readonly string[], terminal: Terminal) => Promise<number>;
}

/** Declares a command; `run` has the values of its flags and of those of every command. */
export function defineCommand<const Table extends FlagTable>(
  declaration: CommandDeclaration<Table>,
): Command {
  const table: Table & typeof globalFlags = { ...declaration.flags, ...globalFlags };
  return {
    ...declaration,
    async run(argv, terminal) {
      const { flags, words } = parseArguments(table, argv);
      using sessions = new DisposableStack();
      return await declaration.run({
        flags,
        words: words.slice(declaration.name.split(' ').length),
        terminal,
        open: options => sessions.use(openSession(flags, terminal, options)),
      });
    },
  };
}
