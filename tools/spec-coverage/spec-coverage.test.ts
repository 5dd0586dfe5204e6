import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inThisVocabulary } from '@binnacle/api-names/testing';
import { repositoryDirectory } from '../source-scan/source-files.ts';
import { findCoverage, findGaps } from './coverage.ts';
import { checkDocument, documentFile, renderDocument } from './document.ts';
import { parseResults } from './run-form.ts';
import { readSuiteIndex, type SuiteIndex } from './suite-index.ts';

const index: SuiteIndex = {
  statements: [
    { place: '1/A b/1', says: 'one' },
    { place: '1/A b/1 more', says: 'more' },
    { place: '1/C/x', says: 'a | b', untestable: 'no client can see it' },
  ],
  titles: ['1/A b/1 is so', '1/A b/1 is so too', '1/A b/1 more is more'],
};
const results = {
  standalone: parseResults(
    '{"title":"1/A b/1 is so","passed":true}\n{"title":"1/A b/1 is so too","passed":true}\n{"title":"1/A b/1 more is more","passed":true}\n',
  ),
  distributed: parseResults('{"title":"1/A b/1 is so","passed":false}\n'),
};

test('every statement has a test and every test a statement, and the document lists them', () => {
  const document = inThisVocabulary(readFileSync(join(repositoryDirectory, documentFile), 'utf8'));
  assert.deepEqual(checkDocument(readSuiteIndex(), document), []);
});

test('a test belongs to the longest place at the beginning of its title', () => {
  assert.deepEqual(
    findCoverage(index).map(({ titles }) => titles),
    [['1/A b/1 is so', '1/A b/1 is so too'], ['1/A b/1 more is more'], []],
  );
  assert.deepEqual(findGaps(index), []);
});

const gaps: [what: string, index: SuiteIndex, gap: RegExp][] = [
  ['a statement without a test', { ...index, titles: index.titles.slice(1, 2) }, /^1\/A b\/1 more: no test$/],
  [
    'a test without a statement',
    { ...index, titles: [...index.titles, '1/D/1 is so'] },
    /^1\/D\/1 is so: no statement/,
  ],
  [
    'a test of what is said to have none',
    { ...index, titles: [...index.titles, '1/C/x is so'] },
    /^1\/C\/x: it has a test/,
  ],
  [
    'two statements of one place',
    { ...index, statements: [...index.statements, { place: '1/A b/1', says: 'two' }] },
    /^1\/A b\/1: two statements/,
  ],
  [
    'two tests of one title',
    { ...index, titles: [...index.titles, '1/A b/1 is so'] },
    /^1\/A b\/1 is so: two tests/,
  ],
];

for (const [what, gapped, gap] of gaps)
  test(`${what} is a gap`, () => {
    assert.equal(findGaps(gapped).length, 1);
    assert.match(findGaps(gapped)[0] ?? '', gap);
  });

test('the document has a row for each statement with its tests and their results', () => {
  const document = renderDocument(index, results);
  assert.match(document, /\| 1\/A b\/1 \| one \| is so<br>is so too \| passes \| \*\*fails\*\* \|/);
  assert.match(document, /\| 1\/A b\/1 more \| more \| is more \| passes \| \*\*not run\*\* \|/);
  assert.match(document, /\| 1\/C\/x \| a \\\| b \| none: no client can see it \| – \| – \|/);
  assert.match(
    document,
    /3 statements, 1 of them .* 3 tests\. standalone: 3 pass, 0 do not; distributed: 0 pass, 3 do not/,
  );
});

test('the check of a document compares its rows, not the results', () => {
  const document = renderDocument(index, results);
  assert.deepEqual(checkDocument(index, document), []);
  assert.deepEqual(
    checkDocument(index, renderDocument(index, { ...results, distributed: results.standalone })),
    [],
  );
  const more: SuiteIndex = { ...index, titles: [...index.titles, '1/A b/1 is more so'] };
  assert.equal(checkDocument(more, document).length, 2);
  const fewer: SuiteIndex = { ...index, statements: index.statements.slice(0, 2) };
  assert.match(checkDocument(fewer, document).join('\n'), /lists what is not there: \| 1\/C\/x/);
});
