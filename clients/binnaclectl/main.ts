import packageFile from './package.json' with { type: 'json' };
import { runCommandLine } from './run-command-line.ts';
import { runProgram } from './session/run-program.ts';

/** Exit codes of a program that a signal has ended, as shells report them: 128 and its number. */
const codes = { SIGINT: 130, SIGTERM: 143, SIGPIPE: 141 };

const ending = new AbortController();
let endedBy: keyof typeof codes | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    endedBy = signal;
    ending.abort();
  });
}

// The reader of a pipe has gone: there is nothing to say, and no place to say it.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? codes.SIGPIPE : 1);
  });
}

const code = await runCommandLine(process.argv.slice(2), {
  version: packageFile.version,
  out: text => new Promise(resolve => process.stdout.write(text, () => resolve())),
  err: text => void process.stderr.write(text),
  input: process.stdin,
  inputIsInteractive: process.stdin.isTTY === true,
  env: process.env,
  signal: ending.signal,
  now: () => performance.now(),
  time: Date.now,
  random: Math.random,
  runProgram,
});
process.exitCode = endedBy === undefined ? code : codes[endedBy];
// A connection or an input that is still open does not hold up the end.
process.exit();
