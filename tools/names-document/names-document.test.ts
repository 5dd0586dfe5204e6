import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeTable, namesDocument } from './names-document.ts';

const source = `
/** Boats. */
export const otherTable = {};

/**
 * Lights at sea, and
 * on land.
 */
export const lightTable = {
  /** The one that burns. */
  beacon: ['beacon', 'fire'],
  redLamp: ['red', 'rot'],
} as const;
`;

test('the description of a table is the comments of its source', () => {
  const names = { beacon: ['beacon', 'fire'], redLamp: ['red', 'rot'] } as const;
  const text = namesDocument([describeTable('lightTable', names, source)]);
  assert.equal(
    text.slice(text.indexOf('## ')),
    `## Lights
Lights at sea, and on land.

| what | \`cluster\` | \`kubernetes\` |
|---|---|---|
| The one that burns | \`beacon\` | \`fire\` |
| red lamp | \`red\` | \`rot\` |
`,
  );
});
