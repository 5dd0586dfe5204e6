import { parseArguments } from '../arguments/parse-arguments.ts';
import { everyFlag } from '../commands/find-command.ts';
import type { Terminal } from '../session/terminal.ts';
import { createCandidateSource } from './candidate-source.ts';
import { type Completion, completeLine } from './complete-line.ts';
import { readPartialLine } from './partial-line.ts';

/** The commands by which the scripts of shells ask, with descriptions and without: those of kubectl. */
const requests: Readonly<Record<string, boolean>> = { __complete: true, __completeNoDesc: false };

/** So long a user waits for names of the server. */
const deadlineMs = 2000;

/** Bits by which the answer tells a shell how to go on. */
const directives = { noSpace: 2, noFiles: 4 };

/**
 * Answers the script of a shell: candidates for the last word of a command line, one a line, and a directive. Undefined for any other
 * command line. It never fails: without a server, or after two seconds, there are no candidates.
 */
export async function runCompletion(
  argv: readonly string[],
  terminal: Terminal,
): Promise<string | undefined> {
  const [request = '', ...line] = argv;
  if (!Object.hasOwn(requests, request)) return undefined;
  const deadline = AbortSignal.timeout(deadlineMs);
  const signal = AbortSignal.any([terminal.signal, deadline]);
  const nothing: Completion = { candidates: [], allowsFiles: false, goesOn: false };
  const over = new Promise<Completion>(resolve =>
    signal.addEventListener('abort', () => resolve(nothing), { once: true }),
  );
  const silent = { ...terminal, err: () => {}, signal };
  const { candidates, allowsFiles, goesOn } = await Promise.race([
    complete(line, silent).catch(() => nothing),
    over,
  ]);
  const lines = candidates.map(({ text, description }) =>
    description === undefined || !requests[request]
      ? text
      : `${text}\t${description.replaceAll(/\p{Cc}/gu, ' ')}`,
  );
  const directive = (allowsFiles ? 0 : directives.noFiles) + (goesOn ? directives.noSpace : 0);
  return [...lines, `:${directive}`, ''].join('\n');
}

async function complete(line: readonly string[], terminal: Terminal): Promise<Completion> {
  const table = everyFlag();
  const { flags } = parseArguments(table, readPartialLine(table, line).argv);
  using source = createCandidateSource(flags, terminal);
  return await completeLine(line, source);
}
