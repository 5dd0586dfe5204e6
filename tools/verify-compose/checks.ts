import { errorMessage } from '@binnacle/status-errors';
import type { ComposeFile } from './compose-file.ts';
import type { Composition } from './composition.ts';

/** The environment of every check. */
export interface CheckContext {
  readonly composition: Composition;
  readonly file: ComposeFile;
  /** The folder of the repository. */
  readonly directory: string;
  /** The client configuration of the administrator, on this machine. */
  readonly adminConfiguration: string;
  readonly report: (line: string) => void;
}

/** One statement about the running composition: resolves with what was seen, throws when it does not hold. */
export interface Check {
  readonly what: string;
  /** A service without which the profile is not checked for this; default: none. */
  readonly needs?: string;
  run(context: CheckContext): Promise<string>;
}

/** Runs checks one after the other and reports each; the number of those that failed. */
export async function runChecks(checks: readonly Check[], context: CheckContext): Promise<number> {
  let failed = 0;
  for (const { what, run } of checks) {
    const startedAt = performance.now();
    try {
      const seen = await run(context);
      context.report(`ok      ${what} (${seconds(startedAt)} s)${seen === '' ? '' : `: ${seen}`}`);
    } catch (error) {
      failed++;
      context.report(`FAILED  ${what}: ${errorMessage(error)}`);
    }
  }
  return failed;
}

function seconds(startedAt: number): string {
  return ((performance.now() - startedAt) / 1000).toFixed(1);
}
