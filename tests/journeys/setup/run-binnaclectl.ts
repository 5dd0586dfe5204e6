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
    random: Math.random,
  });
  return { code, out, err };
}
