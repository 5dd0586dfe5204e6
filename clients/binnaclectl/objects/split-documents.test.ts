import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitDocuments } from './split-documents.ts';

const cases: [what: string, text: string, documents: string[]][] = [
  ['one document', 'a: 1\n', ['a: 1\n']],
  ['documents between marks', 'a: 1\n---\nb: 2\n', ['a: 1', '\nb: 2\n']],
  ['a mark first and last', '---\na: 1\n---\n', ['\na: 1']],
  [
    'a document that begins on the line of its mark',
    '--- {a: 1}\n--- # two\nb: 2',
    ['{a: 1}', '# two\nb: 2'],
  ],
  ['documents of comments alone', '# a\n---\n\n---\n  # b\n...\n', []],
  ['dashes within a text', 'a: |\n  ---\nb: "x---"\n----: 1', ['a: |\n  ---\nb: "x---"\n----: 1']],
  ['lines that end as those of Windows', 'a: 1\r\n---\r\nb: 2\r\n', ['a: 1\r', '\nb: 2\r\n']],
  ['JSON', ' {"a": "}"} ', ['{"a": "}"}']],
  ['JSON documents in a row', '{"a": "{\\""}\n{"b": {}}{"c": 1}', ['{"a": "{\\""}', '{"b": {}}', '{"c": 1}']],
  ['JSON documents between marks', '{"a": 1}\n---\n{"b": 1}', ['{"a": 1}', '\n{"b": 1}']],
  ['JSON that does not end', '{"a": 1', ['{"a": 1']],
  ['nothing', ' \n', []],
];

for (const [what, text, documents] of cases) {
  test(what, () => assert.deepEqual(splitDocuments(text), documents));
}
