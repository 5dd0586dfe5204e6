import { findGaps } from './coverage.ts';
import { documentFile, listedIn, renderDocument } from './document.ts';
import type { SuiteIndex } from './suite-index.ts';

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

function difference(rows: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return rows.filter(row => !known.has(row));
}
