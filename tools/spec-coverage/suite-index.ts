import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { repositoryDirectory } from '../source-scan/source-files.ts';

/** A normative statement of the specification, as the suite names it. */
export interface Statement {
  /** `<document>/<heading>/<number, row or letter>`. */
  readonly place: string;
  readonly says: string;
  /** The reason why there is no test for it. */
  readonly untestable?: string;
}

/** The parts of the conformance suite. */
export interface SuiteIndex {
  readonly statements: readonly Statement[];
  /** The titles of the tests: a place, a space, a behaviour. */
  readonly titles: readonly string[];
}

/** Reads the statements and titles of the suite; no test is run. */
export function readSuiteIndex(): SuiteIndex {
  const program = join(repositoryDirectory, 'tests/conformance/print-index.ts');
  const text = execFileSync(process.execPath, [program], { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 });
  return JSON.parse(text) as SuiteIndex; // print-index.ts prints JSON of this shape.
}
