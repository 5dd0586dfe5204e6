import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject, readJson } from '@binnacle/api-objects';
import type { CaseFileReader } from './cases/case-file.ts';
import { celCostCases } from './cel-cost.ts';
import { celRuleCases } from './cel-rules.ts';
import { checkFile, type FileResult } from './check-file.ts';
import { readExpectedFailures } from './expected-failures.ts';
import { fieldPathCases } from './fieldpaths.ts';
import { jsonMergeCases } from './json-merge.ts';
import { nameCases } from './names.ts';
import { quantityCases } from './quantities.ts';
import { selectorCases } from './selectors.ts';
import { strategicMergeCases } from './strategic-merge.ts';
import { structuredMergeCases } from './structured-merge/structured-merge.ts';

const usage = 'usage: check-cases [--verbose] DIRECTORY';

/** The readers of a directory's files of cases, by the names of the files without `.json`. */
const readers: Readonly<Record<string, CaseFileReader>> = {
  'strategic-merge': strategicMergeCases,
  'json-merge': jsonMergeCases,
  'structured-merge': structuredMergeCases,
  fieldpaths: fieldPathCases,
  selectors: selectorCases,
  quantities: quantityCases,
  names: nameCases,
  'cel-rules': celRuleCases,
  'cel-cost': celCostCases,
};

function main(args: readonly string[]): number {
  if (args.includes('--help')) {
    console.log(usage);
    return 0;
  }
  const [directory, ...rest] = args.filter(arg => arg !== '--verbose');
  if (directory === undefined || rest.length > 0 || directory.startsWith('-')) {
    console.error(usage);
    return 2;
  }
  const known = readExpectedFailures();
  let fine = true;
  let files = 0;
  for (const [name, read] of Object.entries(readers)) {
    const path = join(directory, `${name}.json`);
    if (!existsSync(path)) continue;
    files++;
    const cases = read(readDocument(path));
    fine = print(checkFile(name, cases, known)) && fine;
    if (!args.includes('--verbose')) continue;
    for (const { name: group, count, reason } of cases.leftOut)
      if (count > 0) console.log(`  left out: ${group}, ${count} rows: ${reason}`);
  }
  if (files === 0) console.error(`${directory} has none of ${Object.keys(readers).join(', ')}`);
  return fine && files > 0 ? 0 : 1;
}

function readDocument(path: string): JsonObject {
  const document: unknown = readJson(readFileSync(path, 'utf8'));
  if (!isJsonObject(document)) throw new Error(`${path} does not hold an object`);
  return document;
}

function print({ file, rows, expected, failed, surprising, leftOut }: FileResult): boolean {
  const holding = rows - expected - failed.length;
  const others = [
    ...(expected > 0 ? [`${expected} known to be otherwise`] : []),
    ...(leftOut > 0 ? [`${leftOut} more left out`] : []),
  ];
  console.log(`${file}: ${holding} of ${rows} rows hold${others.map(text => `; ${text}`).join('')}`);
  for (const { id, why } of failed) console.log(`  ${id}: ${why}`);
  for (const id of surprising)
    console.log(`  ${id}: holds, though expected-failures.txt says that it does not`);
  return failed.length === 0 && surprising.length === 0;
}

process.exitCode = main(process.argv.slice(2));
