import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('./expected-failures.txt', import.meta.url));

/**
 * The rows that are known not to hold, by id: a line each, the id, two spaces or more and the reason. Lines that begin
 * with `#` and empty ones do not count. Throws for a line without a reason.
 */
export function readExpectedFailures(text: string = readFileSync(file, 'utf8')): ReadonlySet<string> {
  const lines = text.split('\n').filter(line => line !== '' && !line.startsWith('#'));
  return new Set(lines.map(idFromLine));
}

function idFromLine(line: string): string {
  const match = /^(\S+) {2,}\S/.exec(line);
  if (match?.[1] === undefined) throw new Error(`no reason is given: ${line}`);
  return match[1];
}
