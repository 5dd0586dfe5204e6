import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { runCommandLine } from '@binnacle/binnaclectl/testing';

/** How a command line has ended. */
interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The surroundings of a command line. */
interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Default: nothing. */
  readonly input?: string;
}

/** Runs a command line of binnaclectl to its end in this process, which spares the time that a process takes to start. */
export async function runBinnaclectl(
  args: readonly string[],
  { env, input = '' }: Surroundings,
): Promise<Ended> {
  let [out, err] = ['', ''];
  const code = await runCommandLine(args, {
    version: '0.0.0',
    out: async text => {
      out += text;
    },
    err: text => {
      err += text;
    },
    input: Readable.from([Buffer.from(input)]),
    inputIsInteractive: false,
    env,
    signal: new AbortController().signal,
    now: () => performance.now(),
    time: Date.now,
    random: Math.random,
    async runProgram(program, programArgs) {
      const child = spawn(program, programArgs, { env });
      child.stdout.setEncoding('utf8').on('data', text => {
        out += text;
      });
      child.stderr.setEncoding('utf8').on('data', text => {
        err += text;
      });
      const [code]: unknown[] = await once(child, 'close');
      return Number(code);
    },
  });
  return { code, out, err };
}
