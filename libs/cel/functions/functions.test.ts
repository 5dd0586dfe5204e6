import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createProgram } from '../evaluate/program.ts';
import { parseExpression } from '../syntax/parse-expression.ts';
import { CelError } from '../values/cel-error.ts';
import type { Value } from '../values/value.ts';

function computeResult(text: string): Value {
  const program = createProgram(parseExpression(text), { variables: [] });
  const value = program instanceof CelError ? program : program.evaluate([], 1_000_000).value;
  return value instanceof CelError ? 'an error' : value;
}

const groups: Readonly<Record<string, readonly (readonly [string, Value])[]>> = {
  lists: [
    ['[3, 1, 2].min()', 1n],
    ['[1.5, 2.5].sum()', 4],
    ["[duration('1m'), duration('1s')].sum() == duration('61s')", true],
    ['[].max()', 'an error'],
    ['[9223372036854775807, 1].sum()', 'an error'],
    ["['a', 'b'].isSorted()", true],
    ['[2, 1].isSorted()', false],
    ["['a', 'b', 'a'].lastIndexOf('a')", 2n],
    ["['a'].indexOf('b')", -1n],
    ["['a', 'b'].sum()", 'an error'],
  ],
  texts: [
    ["'tacocat'.indexOf('ac', 3)", -1n],
    ["'👑a👑'.indexOf('👑', 1)", 2n],
    ["'👑a'.charAt(1)", 'a'],
    ["'👑a'.charAt(2)", ''],
    ["'hello'.substring(1, 3)", 'el'],
    ["'hello'.substring(3, 1)", 'an error'],
    ["'ab'.replace('', '-')", '-a-b-'],
    ["'aaa'.replace('a', 'b', 2)", 'bba'],
    ["'a b c'.split(' ', 2) == ['a', 'b c']", true],
    ["'  a \\t'.trim()", 'a'],
    ["'ÄB'.lowerAscii()", 'Äb'],
    ["['a', 'b'].join('-')", 'a-b'],
    ['string(1e21) + string(1.0) + string(-0.5)', '1e+211-0.5'],
  ],
  'regular expressions': [
    ["'abc 123'.find('[0-9]+')", '123'],
    ["'abc'.find('x')", ''],
    ["'abab'.findAll('b*') == ['', 'b', 'b']", true],
    ["'a1b2'.findAll('[0-9]', 1) == ['1']", true],
    ["'aaa'.matches('^a{2}$')", false],
    ["'x'.matches('(?=x)')", 'an error'],
  ],
  URLs: [
    ["url('https://user@a.example:80/p%20q?k=1&k=2#f').getHost()", 'a.example:80'],
    ["url('https://[::1]:80/').getHostname()", '::1'],
    ["url('HTTPS://a/').getScheme()", 'https'],
    ["url('https://a/b c').getEscapedPath()", '/b%20c'],
    ["url('/p?a=b+c&d').getQuery() == {'a': ['b c'], 'd': ['']}", true],
    ["url('/p').getPort()", ''],
    ["isURL('../p')", false],
    ["isURL('https://a:b:c/')", false],
    ["isURL('https://a b/')", false],
    ["isURL('')", false],
    ["isURL('mailto:a@b')", true],
    ["url('nothing')", 'an error'],
  ],
  numbers: [
    ["double('1.5e3')", 1500],
    ["double('-.5')", -0.5],
    ["double('1.')", 1],
    ["double('1e')", 'an error'],
    ["int('-12')", -12n],
    ["int('12.5')", 'an error'],
    ['int(-2.9)', -2n],
    ['int(1e19)', 'an error'],
    ["uint('18446744073709551615') == 18446744073709551615u", true],
    ["string(double('inf'))", '+Inf'],
    ['string(999999.5)', '999999.5'],
    ['string(1234567.0)', '1.234567e+06'],
    ['string(0.00001)', '1e-05'],
  ],
  times: [
    ["timestamp('2024-12-31T23:00:00Z').getDayOfYear()", 365n],
    ["timestamp('2024-12-31T23:00:00Z').getFullYear('Europe/Berlin')", 2025n],
    ["timestamp('2024-12-31T23:00:00Z').getHours('Nowhere')", 'an error'],
    ["duration('-90s').getMinutes()", -1n],
    ["timestamp('9999-12-31T23:59:59Z') + duration('1s')", 'an error'],
  ],
};

for (const [name, cases] of Object.entries(groups))
  describe(name, () => {
    for (const [text, expected] of cases) test(text, () => assert.deepEqual(computeResult(text), expected));
  });
