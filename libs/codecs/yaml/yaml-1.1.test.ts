import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type JsonValue, readJson } from '@binnacle/api-objects';
import { encodeYaml } from '../encode-yaml.ts';
import { parseYamlAtOnce } from '../yaml.ts';

/** A text, its JSON by sigs.k8s.io/yaml v1.3.0 (null if refused), and the duplicate keys found. */
type Answer = readonly [text: string, json: string | null, duplicates?: readonly string[]];

const fixture = new URL('../fixtures/yaml-1.1.json', import.meta.url);
const answers = JSON.parse(readFileSync(fixture, 'utf8')) as Answer[]; // the form of the file

test('scalars, keys, tags, merge keys and documents are parsed as existing clients parse them', () => {
  assert.ok(answers.length > 1000);
  for (const [text, json, duplicates = []] of answers) {
    if (json === null) {
      assert.throws(() => parseYamlAtOnce(Buffer.from(text)), { code: 400 }, JSON.stringify(text));
      continue;
    }
    const parsed = parseYamlAtOnce(Buffer.from(text));
    assert.deepEqual(parsed.value, readJson(json), JSON.stringify(text));
    assert.deepEqual(parsed.duplicates(), duplicates, JSON.stringify(text));
  }
});

test('a numeric key and the same key as a string are the same member', () => {
  const { value, duplicates } = parseYamlAtOnce(Buffer.from('1: a\n"1": b\n'));
  assert.deepEqual(value, { 1: 'b' });
  assert.deepEqual(duplicates(), ['line 2: key "1" already set in map']);
});

test('an error in a merged member has the path of that member', () => {
  const text = 'x:\n  a: 1\n  <<: {b: {c: .nan}}\n';
  assert.throws(() => parseYamlAtOnce(Buffer.from(text)), {
    message: /: x\.b\.c cannot be represented in JSON$/,
  });
});

test('binary values that are not valid text are refused', () => {
  assert.throws(() => parseYamlAtOnce(Buffer.from('a: !!binary /w==')), { code: 400, message: /UTF-8/ });
});

test('an anchor that is merged too often is refused', () => {
  const merges = Array.from({ length: 101 }, (_, i) => `b${i}: {<<: *a}\n`).join('');
  assert.throws(() => parseYamlAtOnce(Buffer.from(`a: &a {x: 1}\n${merges}`)), {
    message: /Excessive alias/,
  });
});

test('merged members count toward the limit of values', () => {
  const members = Array.from({ length: 2000 }, (_, i) => `k${i}: x`).join(', ');
  const merges = Array.from({ length: 60 }, (_, i) => `b${i}: {<<: *a}\n`).join('');
  assert.throws(() => parseYamlAtOnce(Buffer.from(`a: &a {${members}}\n${merges}`)), { code: 413 });
});

/** Texts that go-yaml reads back from the output of `encodeYaml`; all were verified. */
const texts = [
  ...['0400', '0o400', '0b101', '0x1F', '0b-101', '-_1', '1_000', '1__0', '.1_0', '1e3', '1E3', '1.', '+.5'],
  ...['y', 'N', 'yes', 'Off', 'on', 'True', '~', 'Null', '.inf', '-.INF', '.NaN', '<<', '=', ''],
  ...['1:30', '190:20:30', '2001-01-01', '2001-1-1 1:2:3', '9007199254740993', '0xFFFFFFFFFFFFFFFF'],
  ...[
    'a\u2028b',
    '\u2029',
    '\ufeffa',
    'a\ufffe',
    'a\uffffb\nc',
    ' \n',
    '\n \n\n',
    '\t\na',
    '\n\ta\nb',
    'a\n\tb',
  ],
];

test('strings that YAML 1.1 would parse as other types are quoted, and parsed as strings', () => {
  for (const text of texts) {
    const value: JsonValue = { a: text, b: [text, { [text]: text }], [text]: [] };
    const written = encodeYaml(value);
    assert.deepEqual(parseYamlAtOnce(Buffer.from(written)).value, value, JSON.stringify(written));
    assert.match(written, /^a: (?:"|'|\|)/m, JSON.stringify(written));
    assert.doesNotMatch(written, /[\u2028\u2029\ufeff\ufffe\uffff]/);
  }
});

test('strings that only begin like other types are not quoted', () => {
  for (const text of ['yesterday', '0400a', '1Gi', '10.0.0.1', '<<a', '1.2.3', 'none', '.inform', 'a\n\tb']) {
    const written = encodeYaml({ a: text });
    assert.doesNotMatch(written, /["']/);
    assert.deepEqual(parseYamlAtOnce(Buffer.from(written)).value, { a: text });
  }
});
