import { type CoveredStatement, findCoverage, findGaps } from './coverage.ts';
import { type Form, forms, type Results } from './run-form.ts';
import type { SuiteIndex } from './suite-index.ts';

/** The path of the document from the root of the repository. */
export const documentFile = 'docs/spec-coverage.md';

const formNames = Object.keys(forms) as Form[]; // The keys of the object.

const preface = `# Coverage of the specification

Every normative statement of the general conventions, and of authentication and authorization, with its tests and
their results against the standalone and the distributed form. \`npm run spec-coverage\` runs both and writes this file;
CI checks that it lists the statements and tests of [tests/conformance](../tests/conformance) exactly.
`;

/** Writes the document: a table for each heading, a row for each statement. */
export function renderDocument(index: SuiteIndex, results: Readonly<Record<Form, Results>>): string {
  const sections = Map.groupBy(findCoverage(index), ({ statement }) => headingFromPlace(statement.place));
  const totals = formNames.map(form => totalText(form, index.titles, results[form]));
  const untestable = index.statements.filter(statement => statement.untestable !== undefined).length;
  const summary = `${index.statements.length} statements, ${untestable} of them without a test for the reason given; ${index.titles.length} tests. ${totals.join('; ')}.`;
  const tables = [...sections].map(([heading, rows]) => renderSection(heading, rows, results));
  return [preface, `${summary}\n`, ...tables].join('\n');
}

/** Faults, one line each: gaps of the suite, and rows that the document lacks or should not have. */
export function checkDocument(index: SuiteIndex, document: string): string[] {
  const none = new Map<string, boolean>();
  const wanted = listedIn(renderDocument(index, { standalone: none, distributed: none }));
  const listed = listedIn(document);
  return [
    ...findGaps(index),
    ...difference(wanted, listed).map(row => `${documentFile} lacks: ${row}`),
    ...difference(listed, wanted).map(row => `${documentFile} lists what is not there: ${row}`),
  ];
}

/** The statements and titles that a document lists: its rows as `renderDocument` writes them, without the results. */
function listedIn(document: string): string[] {
  return document
    .split('\n')
    .filter(line => /^\| [0-9]+\//.test(line))
    .map(withoutResults);
}

function difference(rows: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return rows.filter(row => !known.has(row));
}

function renderSection(
  heading: string,
  rows: readonly CoveredStatement[],
  results: Readonly<Record<Form, Results>>,
): string {
  const head = ['place', 'statement', 'tests', ...formNames];
  const lines = rows.map(row => `| ${createCells(row, results).join(' | ')} |`);
  return [
    `## ${heading.replace('/', ', ')}`,
    '',
    `| ${head.join(' | ')} |`,
    `|${head.map(() => '---|').join('')}`,
    ...lines,
    '',
  ].join('\n');
}

function createCells(
  { statement, titles }: CoveredStatement,
  results: Readonly<Record<Form, Results>>,
): string[] {
  const { place, says, untestable } = statement;
  const behaviours = titles.map(title => title.slice(place.length + 1));
  const tests = untestable === undefined ? behaviours.join('<br>') : `none: ${untestable}`;
  const outcomes = formNames.map(form =>
    untestable === undefined ? summarizeOutcome(titles, results[form]) : '–',
  );
  return [place, says, tests, ...outcomes].map(escapeCell);
}

function summarizeOutcome(titles: readonly string[], results: Results): string {
  if (titles.some(title => results.get(title) === false)) return '**fails**';
  return titles.every(title => results.get(title)) ? 'passes' : '**not run**';
}

function totalText(form: Form, titles: readonly string[], results: Results): string {
  const passed = titles.filter(title => results.get(title) === true).length;
  return `${form}: ${passed} pass, ${titles.length - passed} do not`;
}

/** A row without its last cells, which hold the result of each form. */
function withoutResults(line: string): string {
  const cells = line.split(/(?<!\\)\|/);
  return cells.slice(0, cells.length - 1 - formNames.length).join('|');
}

function headingFromPlace(place: string): string {
  return place.slice(0, place.indexOf('/', place.indexOf('/') + 1));
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
