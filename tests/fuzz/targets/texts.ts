import {
  formatDuration,
  parseDuration,
  parseFieldSelector,
  parseInstant,
  parseLabelSelector,
  validateDnsSubdomain,
  validateLabelValue,
  validateQualifiedName,
} from '@binnacle/api-objects';
import { canonicalQuantity } from '@binnacle/api-objects/testing';
import { matchPattern, parseJsonPath, valuesAt } from '@binnacle/api-types/testing';
import { compileValidationRule, types } from '@binnacle/cel';
import { ExpressionError, parseExpression, ruleEnvironment } from '@binnacle/cel/testing';
import { type FuzzTarget, isClientMistake, isNamedError } from './fuzz-target.ts';

/** Label selectors. */
export const labelSelectors: FuzzTarget = {
  name: 'label-selectors',
  pace: 5,
  seeds: ['a=b,c!=d,e', 'a in (b,c),d notin (e),!f', 'example.com/a==b', 'a>1,b<2', ''],
  words: [
    'a',
    '=',
    '==',
    '!=',
    ',',
    '!',
    ' in ',
    ' notin ',
    '(',
    ')',
    '>',
    '<',
    ' ',
    'example.com/',
    'a=b,',
    '\u00e9',
    '\0',
  ],
  run: input => {
    const selector = parseLabelSelector(input.toString());
    selector.matches({ a: 'b' });
    parseLabelSelector(selector.toString());
  },
};

/** Field selectors. */
export const fieldSelectors: FuzzTarget = {
  name: 'field-selectors',
  pace: 5,
  seeds: ['metadata.name=a,spec.nodeName!=b', 'a==b\\,c\\=d', ''],
  words: ['a', '=', '==', '!=', ',', '\\', '\\,', '\\=', '\\\\', 'metadata.name', '.', ' '],
  run: input => {
    const selector = parseFieldSelector(input.toString());
    parseFieldSelector(selector.toString());
  },
};

/** Quantities, durations, times and names. */
export const smallTexts: FuzzTarget = {
  name: 'small-texts',
  pace: 5,
  seeds: [
    '1.5Gi',
    '100m',
    '-1e3',
    '+.5Ki',
    '1h2m3.5s',
    '-1ns',
    '2024-02-29T12:00:00.123456Z',
    '2024-01-01T00:00:00+01:00',
    'a.b/c-d',
  ],
  words: [
    '1',
    '0',
    '.',
    '-',
    '+',
    'e',
    'E',
    'm',
    'Ki',
    'Gi',
    'n',
    'h',
    's',
    'us',
    'ms',
    'T',
    'Z',
    ':',
    '2024-',
    '01',
    '/',
    'a',
    '+01:00',
    ',',
  ],
  isRefusal: isNamedError,
  run: input => {
    const text = input.toString();
    const nanoseconds = parseDuration(text);
    if (nanoseconds !== undefined) formatDuration(nanoseconds);
    parseInstant(text);
    for (const validate of [validateDnsSubdomain, validateLabelValue, validateQualifiedName]) validate(text);
    canonicalQuantity(text);
  },
};

const column = { a: [{ type: 'Ready', n: 1, b: { c: 'd' } }, { type: 'x' }], b: { 'c.d': [1, [2, 3]] } };

/** JSON paths of columns. */
export const jsonPaths: FuzzTarget = {
  name: 'json-paths',
  pace: 5,
  seeds: ['.a[?(@.type=="Ready")].n', "..b['c.d'][0,1]", '.a[*].b..c', '.a[-1:]', '.*', '[1:3]'],
  words: [
    '.',
    '..',
    '[',
    ']',
    '*',
    'a',
    'b',
    "['",
    "']",
    '[?(@',
    ')]',
    '==',
    '"Ready"',
    '0',
    '-1',
    ':',
    ',',
    '\\',
    '[*]',
    '..*',
    '!=',
    '<',
  ],
  run: input => {
    const path = parseJsonPath(input.toString());
    if (!('fault' in path)) valuesAt(path, column);
  },
};

const environment = ruleEnvironment(types.dyn);

/** Expressions of validation rules: syntax, and types. */
export const expressions: FuzzTarget = {
  name: 'expressions',
  seeds: [
    'self.a.all(x, x.b > 1 && x.c.matches("^a+$")) || has(self.d)',
    '{"a": [1, 2u, 3.5]}["a"].map(y, y * 2).exists_one(z, z == dyn(4))',
    'size(self) < 5 ? self[0].startsWith(r"a\\b") : !(b"\\x41" == bytes("A"))',
    'duration("1h") + timestamp("2024-01-01T00:00:00Z") > oldSelf.t',
    "'''a\nb''' + \"\\u00e9\" in ['c']",
  ],
  words: [
    ...[
      'self',
      'oldSelf',
      '.a',
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      ',',
      ':',
      '?',
      '||',
      '&&',
      '!',
      '-',
      '+',
      '*',
      '/',
      '%',
      '==',
      '<',
      ' in ',
    ],
    ...[
      'all(x, ',
      'map(x, ',
      'exists(x, ',
      'has(',
      'size(',
      'matches(',
      'true',
      'null',
      '1',
      '2u',
      '3.0e1',
      '"a"',
      "'b'",
      'r"',
      'b"',
      '"""',
      '\\',
    ],
    ...[
      '\\u',
      '//',
      '\n',
      ' ',
      'dyn(',
      '.filter(y, ',
      'x',
      'a{b: 1}',
      '`a`',
      '\\x41',
      '0x1F',
      '[[',
      '!!',
      '--',
    ],
  ],
  isRefusal: error => error instanceof ExpressionError || isClientMistake(error),
  run: input => {
    const text = input.toString();
    compileValidationRule(text, environment);
    parseExpression(text);
  },
};

/** Patterns of schemas. */
export const patterns: FuzzTarget = {
  name: 'patterns',
  seeds: ['^(a|b)+[[:alpha:]]{2,5}\\pL(?i:x)*?$', 'a{1000}', '[^\\x00-\\x{10FFFF}]', '\\Qa.b\\E', '(?P<n>a)'],
  words: [
    '(',
    ')',
    '[',
    ']',
    '{1000}',
    '{2,3}',
    '*',
    '+',
    '?',
    '|',
    '^',
    '$',
    '.',
    '\\pL',
    '\\b',
    'a',
    '(?i',
    '(?:',
    '[[:alpha:]]',
    '\\x{',
    '-',
    '{,',
    '\\Q',
    '\\E',
  ],
  run: input => {
    matchPattern(input.toString(), 'aab'.repeat(20));
  },
};
