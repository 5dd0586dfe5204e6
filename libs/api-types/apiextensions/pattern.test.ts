import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchPattern, patternFault } from './pattern.ts';

for (const [what, pattern, fault] of [
  ['a pattern', '^[a-z]+$', undefined],
  ['as many repetitions as there can be', 'a{1000}'.repeat(9), undefined],
  ['braces that are characters', '\\{9999\\}\\{9999\\}', undefined],
  ['what is none', '(', 'malformed'],
  ['too long a text', 'a'.repeat(10_001), 'too-large'],
  ['too many instructions', '(?:abcdefghij){1000}(?:abcdefghij){100}', 'too-large'],
  ['too many repetitions', 'a{1000}'.repeat(11), 'too-large'],
  ['far too many repetitions', 'a{1000}'.repeat(1400), 'too-large'],
] as const)
  test(`${what}: ${fault ?? 'fine'}`, () => {
    assert.equal(patternFault(pattern), fault);
  });

test('a value matches a pattern or does not, and a match that would take too long is none', () => {
  assert.equal(matchPattern('^(a+)+$', 'a'.repeat(60)), 'matches');
  assert.equal(matchPattern('^(a+)+$', `${'a'.repeat(60)}b`), 'differs');
  assert.equal(matchPattern('^(a+)+$', 'a'.repeat(1_500_000)), 'matches');
  // The state of the matcher must encode which of the last twenty letters were an `a`.
  let state = 1;
  const letters = Array.from({ length: 100_000 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state < 2 ** 31 ? 'a' : 'b';
  }).join('');
  assert.equal(matchPattern('(a|b)*a(a|b){20}c', letters), 'too-long');
  const steps = { left: 1_500 };
  assert.equal(matchPattern('^a+$', 'a'.repeat(800), steps), 'matches');
  assert.equal(matchPattern('^a+$', 'a'.repeat(800), steps), 'too-long');
});

test('an invalid or too large pattern matches nothing, even if it was stored', () => {
  assert.equal(matchPattern('(', '('), 'differs');
  assert.equal(matchPattern('a{1000}'.repeat(11), 'a'), 'differs');
});

test('many large patterns are compiled one after the other, and only some are cached', () => {
  for (let i = 0; i < 100; i++) assert.equal(patternFault(`${i}(?:ab){1000}(?:ab){1000}`), undefined);
  assert.equal(matchPattern('1(?:ab){1000}(?:ab){1000}', '1'), 'differs');
});
