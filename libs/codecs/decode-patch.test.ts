import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodePatchAtOnce, type PatchForm } from './decode-patch.ts';

const decode = (text: string, form: PatchForm) => decodePatchAtOnce(Buffer.from(text), form);

const found: [what: string, form: PatchForm, text: string, findings: string[]][] = [
  ['an object in order', 'object', '{"a":{"b":[{"c":1}]}}', []],
  [
    'an object with members twice',
    'object',
    '{"a":{"b":1,"b":2},"l":[{"c":1,"c":1}],"a":{}}',
    ['duplicate field "a.b"', 'duplicate field "l[0].c"', 'duplicate field "a"'],
  ],
  [
    'operations in order',
    'operations',
    '[{"op":"add","path":"/a","value":{"x":1}},{"op":"move","from":"/a","path":"/b"}]',
    [],
  ],
  [
    'operations with members twice',
    'operations',
    '[{},{"op":"add","path":"/a","path":"/b","value":{"x":1,"x":2}}]',
    ['json patch duplicate field "[1].path"', 'json patch duplicate field "[1].value.x"'],
  ],
  [
    'operations with other members',
    'operations',
    '[{"op":"test","Path":"/a","foo":{"a":1,"a":2},"foo":1}]',
    ['json patch unknown field "[0].Path"', 'json patch unknown field "[0].foo"'],
  ],
  ['what is no list of operations', 'operations', '{"op":1}', []],
];
for (const [what, form, text, findings] of found) {
  test(`${what}: ${findings.length} findings`, () => {
    const decoded = decode(text, form);
    assert.deepEqual(decoded.patch, JSON.parse(text));
    assert.deepEqual(decoded.findings(), findings);
  });
}

const refused: [what: string, text: string, why: RegExp][] = [
  ['no JSON', '{', /^error decoding patch: /],
  ['a list', '[]', /it is not an object/],
  ['nesting without end', `${'{"a":'.repeat(201)}1${'}'.repeat(201)}`, /deeper than 200 levels/],
  ['bytes that are no text', '{"a":"\xff"}', /^error decoding patch: a: the text is not valid UTF-8/],
];
for (const [what, text, why] of refused) {
  test(`${what} is refused as a patch`, () => {
    const bytes = Buffer.from(text, 'latin1');
    assert.throws(() => decodePatchAtOnce(bytes, 'object'), { code: 400, message: why });
  });
}

test('a patch is analysed once for all attempts of a write', () => {
  const text = '[{"op":"replace","path":"/spec/replicas","value":1.0,"odd":1}]';
  const { findings, floats } = decode(text, 'operations');
  assert.equal(floats().length, 1);
  assert.equal(findings().length, 1);
  assert.equal(floats(), floats());
  assert.equal(findings(), findings());
});
