import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryDirectory } from '../source-scan/source-files.ts';
import { findGaps } from './coverage.ts';
import { checkDocument, documentFile, renderDocument } from './document.ts';
import { type Form, parseResults, type Results, runForm } from './run-form.ts';
import { readSuiteIndex } from './suite-index.ts';

const usage = `Usage: node tools/spec-coverage/main.ts [options]

Runs the conformance suite against both forms and writes ${documentFile}.

  --standalone FILE, --distributed FILE
            does not run the suite against that form but reads what results-reporter.ts
            wrote; of several results of a test the last one counts
  --check   runs nothing: says whether every statement has a test, every test a
            statement, and the document lists exactly those
  --help    prints this text
`;

/** Most problems that are printed: a document that is out of date may have many. */
const shownProblems = 20;

const { values } = parseArgs({
  options: {
    standalone: { type: 'string' },
    distributed: { type: 'string' },
    check: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
const file = join(repositoryDirectory, documentFile);
if (values.help) console.log(usage);
else process.exitCode = (values.check ? check() : await write()) ? 0 : 1;

function check(): boolean {
  const problems = checkDocument(readSuiteIndex(), existsSync(file) ? readFileSync(file, 'utf8') : '');
  for (const problem of problems.slice(0, shownProblems)) console.error(problem);
  console.log(`spec coverage: ${problems.length === 0 ? 'complete' : `${problems.length} problems`}`);
  return problems.length === 0;
}

/** Runs the suite and writes the document; true when nothing is missing and everything passed. */
async function write(): Promise<boolean> {
  const index = readSuiteIndex();
  const gaps = findGaps(index);
  for (const gap of gaps) console.error(gap);
  // One after the other: together they would compete for the processors.
  const standalone = await loadResults('standalone');
  const distributed = await loadResults('distributed');
  writeFileSync(file, renderDocument(index, { standalone, distributed }));
  const passed = index.titles.every(title => standalone.get(title) && distributed.get(title));
  console.log(`${documentFile} is written`);
  return passed && gaps.length === 0;
}

function loadResults(form: Form): Promise<Results> | Results {
  const results = values[form];
  return results === undefined ? runForm(form) : parseResults(readFileSync(results, 'utf8'));
}
