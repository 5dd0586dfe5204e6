import { execFile } from 'node:child_process';
import { type BundledProgram, bundledProgram, currentBundles } from '@binnacle/compose/testing';

/** Longest time that a program may take to say that it does not start. */
const timeoutMs = 300_000;

/** How a program ended. */
interface ProgramEnd {
  /** Null: it was still running and was ended. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program with these arguments to its end. */
export async function runProgram(name: BundledProgram, ...args: string[]): Promise<ProgramEnd> {
  const program = bundledProgram(await currentBundles(), name);
  return new Promise(end => {
    const child = execFile(
      process.execPath,
      [program, ...args],
      { timeout: timeoutMs },
      (_, stdout, stderr) => end({ code: child.exitCode, stdout, stderr }),
    );
  });
}

/** Flags with which a gateway would start: of services that are not there, without certificates, on any port. */
export const gatewayAlone: readonly string[] = [
  ...['storage', 'admission', 'token-review'].map(name => `--${name}-addresses=127.0.0.1:1`),
  '--tls=false',
  '--insecure',
  '--secure-port=0',
  '--operations-port=0',
];

const helpTexts = new Map<string, Promise<string>>();

/** The help of a service's program. */
export function readHelp(service: BundledProgram): Promise<string> {
  const text = helpTexts.get(service) ?? runProgram(service, '--help').then(({ stdout }) => stdout);
  helpTexts.set(service, text);
  return text;
}
