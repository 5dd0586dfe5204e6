import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RE2JS } from 're2js';
import { programFrom } from './pattern-program.ts';
import { TextMatcher } from './text-matcher.ts';

const createMatcher = (pattern: string) => new TextMatcher(programFrom(RE2JS.compile(pattern)));
const enough = () => ({ left: 100_000_000 });

const patterns = [
  '',
  'a',
  '^a',
  'a$',
  '^$',
  '^a+$',
  '^(a+)+$',
  'ab|ba|c',
  '(a|b)*a(a|b)(a|b)',
  '(?:a?){5}a{5}',
  'a{2,3}b',
  '[^ab]',
  '^[^ab]*$',
  '.',
  '^.$',
  '^..$',
  '(?s)^.$',
  '(?m)^a$',
  '(?m)^$',
  '(?m)b$',
  '\\Aa\\z',
  '\\ba\\b',
  '\\Ba',
  'a\\B',
  '\\b',
  '\\B',
  '^\\B$',
  '(?i)k',
  '(?i)[k-m]+$',
  '(?i)ſ',
  '(?i)ß',
  '(?i)straße',
  '\\pL+',
  '\\p{Greek}$',
  '[[:alpha:]]+\\d',
  '[😀-😂]',
  '^😀+$',
  '\\x{1F600}b',
  '\\s\\S',
  '(?U)a+?b',
  'x*',
  '(|a)+b',
  '(a*)*b',
  '((a|b)c?)+$',
  '[^\\x00-\\x{10FFFF}]',
];

const texts = [
  '',
  'a',
  'b',
  'ab',
  'aaab',
  'cba',
  'a\nb',
  '\n',
  '\na\n',
  'a b',
  ' a ',
  'a_b',
  'k',
  'K',
  '\u212a',
  's',
  'ſ',
  'ẞ',
  'STRASSE straße',
  'αβ',
  'é1',
  '😀',
  '😀😀b',
  '\ud83d',
  '\ude00\ud83d',
  'a\ud83d',
  'aaaaaaaaaa',
  'abababab',
  '\u0000',
  'ÿĀ',
];

/** Yields deterministic pseudo-random numbers in [0, 1). */
function* numbersFrom(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

describe('a pattern occurs in a text', () => {
  for (const pattern of patterns)
    it(`is found as by re2js: ${JSON.stringify(pattern)}`, () => {
      const expression = RE2JS.compile(pattern);
      const matcher = new TextMatcher(programFrom(expression));
      for (const text of texts)
        assert.equal(matcher.occursIn(text, enough()), expression.test(text), JSON.stringify(text));
    });

  it('is found as by re2js for generated patterns and texts', () => {
    const numbers = numbersFrom(20_240_601);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(numbers.next().value * from.length)]!; // Below its length.
    const pieces = [
      'a',
      'b',
      '.',
      '[ab]',
      '[^a]',
      '\\b',
      '^',
      '$',
      '(?:ab)',
      '\\n',
      'é',
      '😀',
      '(?i:A)',
      '\\w',
    ];
    const marks = ['', '', '', '*', '+', '?', '{2}', '{0,2}', '|', '*?'];
    const letters = ['a', 'b', 'A', ' ', '\n', 'é', '😀', '_'];
    const many = (make: () => string, most: number) =>
      Array.from({ length: Math.floor(numbers.next().value * most) }, make).join('');
    for (let round = 0; round < 2_000; round++) {
      const pattern = many(() => pick(pieces) + pick(marks), 7);
      let expression: RE2JS;
      try {
        expression = RE2JS.compile(pattern);
      } catch {
        continue; // Quantifiers after an assertion or another quantifier may be invalid.
      }
      const matcher = new TextMatcher(programFrom(expression));
      for (let i = 0; i < 5; i++) {
        const text = many(() => pick(letters), 9);
        const what = `${JSON.stringify(pattern)} in ${JSON.stringify(text)}`;
        assert.equal(matcher.occursIn(text, enough()), expression.test(text), what);
      }
    }
  });

  it('is found or not, whatever texts were searched before', () => {
    const matcher = createMatcher('^[a-z]+(?:-[a-z]+)*$');
    for (let round = 0; round < 3; round++) {
      assert.equal(matcher.occursIn('one-two', enough()), true);
      assert.equal(matcher.occursIn('one--two', enough()), false);
    }
  });

  it('is found although its states are too many to be cached', () => {
    const matcher = createMatcher('(a|b)*a(a|b){13}$');
    const numbers = numbersFrom(7);
    const text = Array.from({ length: 60_000 }, () => (numbers.next().value < 0.5 ? 'a' : 'b')).join('');
    assert.equal(matcher.occursIn(`${text}abbbbbbbbbbbbb`, enough()), true);
    assert.equal(matcher.occursIn(`${text}bbbbbbbbbbbbbb`, enough()), false);
  });

  it('is found in characters that each lead to a state of their own', () => {
    const text = Array.from({ length: 50_000 }, (_, i) => String.fromCodePoint(0x4e00 + (i % 20_000))).join(
      '',
    );
    assert.equal(createMatcher('^\\p{Han}*$').occursIn(text, enough()), true);
    assert.equal(createMatcher('^\\p{Han}*$').occursIn(`${text}a`, enough()), false);
  });
});

describe('the states of a pattern', () => {
  it('are cached up to a limit, and can be released', () => {
    const matcher = new TextMatcher(programFrom(RE2JS.compile('^[a-z]{0,40}$')), 2_000);
    assert.equal(matcher.occursIn('abc', enough()), true);
    assert.ok(matcher.kept > 0 && matcher.kept <= 2_000);
    assert.equal(matcher.occursIn('a'.repeat(40), enough()), true);
    assert.equal(matcher.kept, 0, 'more were found than are kept');
    assert.equal(matcher.occursIn('abc', enough()), true);
    matcher.forget();
    assert.equal(matcher.kept, 0);
    assert.equal(matcher.occursIn('a1', enough()), false);
  });
});

describe('the steps of a search', () => {
  it('are one for each character once its states are cached', () => {
    const matcher = createMatcher('^(a+)+$');
    matcher.occursIn('aa', enough());
    const steps = { left: 1_000_000 };
    assert.equal(matcher.occursIn('a'.repeat(900_000), steps), true);
    assert.equal(steps.left, 100_000);
  });

  it('end the search when they are used up, however short the text is', () => {
    assert.equal(createMatcher('a').occursIn('bbb', { left: 2 }), undefined);
    assert.equal(createMatcher('(?:a?){900}b').occursIn('aaa', { left: 5_000 }), undefined);
    assert.equal(createMatcher('b{900}$').occursIn('b'.repeat(900), { left: 100_000 }), undefined);
  });
});
