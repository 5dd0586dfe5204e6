import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rewriteJson } from './rewrite-json.ts';

test('strings are replaced, and everything else is unchanged', () => {
  const json = '{ "a" : [1.0, "x\\"\\u00e9", {"b":"x"}, []], "x": -1e400, "":{}}\n';
  const found: string[] = [];
  const written = rewriteJson(json, ({ text, isKey, path, originalPath }) => {
    found.push(`${isKey ? 'key' : 'value'} ${text} at ${path.join('.')} was ${originalPath.join('.')}`);
    if (text === 'x') return 'other';
    return text === 'b' ? 'key "b"' : undefined;
  });
  assert.equal(
    written,
    '{ "a" : [1.0, "x\\"\\u00e9", {"key \\"b\\"":"other"}, []], "other": -1e400, "":{}}\n',
  );
  assert.deepEqual(found, [
    'key a at  was ',
    'value x"é at a.1 was a.1',
    'key b at a.2 was a.2',
    'value x at a.2.key "b" was a.2.b',
    'key x at  was ',
    'key  at  was ',
  ]);
});

test('texts without strings, and a text that is one string, are rewritten', () => {
  assert.equal(
    rewriteJson('[1,{}]', () => 'a'),
    '[1,{}]',
  );
  assert.equal(
    rewriteJson('"a\\\\"', ({ text }) => `${text}b`),
    '"a\\\\b"',
  );
  assert.throws(() => rewriteJson('"a', () => undefined), /not JSON/);
});
