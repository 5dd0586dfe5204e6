import type { ScalarType } from '@binnacle/api-types';
import { pickOne, type Random } from '../fuzz/random.ts';
import type { Value } from './exact-json.ts';

/** Texts that fit most rules for names. */
const names = ['a', 'edge-1', 'x0', `a${'b'.repeat(61)}c`];

/** Texts that a reader of YAML or JSON may take for something else, or cut. */
const oddTexts = [
  '',
  ...['yes', 'Off', 'y', 'N', 'TRUE', 'null', '~'],
  ...[
    '0400',
    '0o17',
    '0x1F',
    '0b11',
    '1e3',
    '1_000',
    '1:30',
    '190:20:30.5',
    '+1',
    '-0',
    '.5',
    '5.',
    '.',
    '.inf',
  ],
  ...['9007199254740993', '2001-01-01', '2001-12-14 21:59:43.1 -5', '2001-12-14T21:59:43Z'],
  ...[
    '<<',
    '=',
    '-',
    '?',
    ':',
    '|',
    '>',
    '---',
    '...',
    '- a',
    '? a',
    'a: b',
    'a:',
    'a #b',
    '#a',
    '%41',
    '%YAML',
  ],
  ...[
    '{a}',
    '[a',
    'a, b',
    '!a',
    '!!str',
    '&a',
    '*a',
    '@a',
    '`a`',
    "it's",
    '"quoted"',
    `"both'`,
    'back\\slash',
  ],
  ...[' ', ' spaced ', 'trailing ', '\t', '\ttab', 'tab\tand\rreturn'],
  ...['\n', 'line\nbreak\n', 'two\n\n', ' a\n  b', 'a \n b', 'a\r\nb', '\na', 'a\n---\nb', 'a\n\t'],
  ...['Tëxt ☃ 𝄞', 'e\u0301', '\u0085\u2028\ufeff', '\u0001\u007f', '\u0000', '\ufffd\uffff'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '$patch', '$ref', '.', 'a/b~c', '~1'],
  'x'.repeat(300),
  'long words '.repeat(30),
  `a long line ${'with "quotes"\n'.repeat(12)}`,
  // As a key it is longer than those that YAML reads without a mark before them.
  'k'.repeat(1100),
];

/** The edges of each scalar type, of which a field holds one. */
const edges: Readonly<Record<Exclude<ScalarType, 'string' | 'json'>, readonly Value[]>> = {
  bool: [true, false],
  int32: [0, 1, -1, 2, 30, 80, 3600, 65_535, 2_147_483_647, -2_147_483_648],
  int64: [
    0,
    1,
    -1,
    30,
    65_534,
    4_294_967_296,
    Number.MAX_SAFE_INTEGER,
    ...[9_007_199_254_740_993n, 9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n],
  ],
  double: [0, 0.5, -0.1, 1e-7, 1e21, 123_456_789.125, 5e-324, 1.7976931348623157e308],
  bytes: ['', 'AA==', '/+8=', Buffer.from('Tëxt ☃ \0').toString('base64')],
  time: ['2024-02-29T12:00:00Z', '1970-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '1969-12-31T23:59:59Z'],
  microTime: ['2024-02-29T12:00:00.000001Z', '1970-01-01T00:00:00.000000Z', '9999-12-31T23:59:59.999999Z'],
  duration: ['0s', '1s', '1m30s', '1h0m0s', '100ms'],
  quantity: [
    '0',
    '1',
    '1m',
    '100Mi',
    '1500Mi',
    '1E3',
    '+5',
    '05',
    '5.',
    '5e0',
    '2Ki',
    '1G',
    '9223372036854775807',
    '-1',
  ],
  intOrString: [0, 1, -1, 2_147_483_647, 'http', '50%', '100%', '0', '0400'],
};

/** A value at an edge of the type, but for texts mostly one that is as good as a name. */
export function edgeValue(random: Random, scalar: ScalarType): Value {
  if (scalar === 'string') return edgeText(random);
  if (scalar === 'json') return anyObject(random, 2);
  return pickOne(random, edges[scalar]);
}

export function edgeText(random: Random): string {
  return random(3) === 0 ? oddText(random) : pickOne(random, names);
}

export function oddText(random: Random): string {
  return pickOne(random, oddTexts);
}

/** JSON of no type: what raw fields and fields without a schema keep as it is. */
export function anyValue(random: Random, depth: number): Value {
  switch (random(depth > 0 ? 8 : 6)) {
    case 0:
      return edgeText(random);
    case 1:
      return pickOne(random, edges.int64);
    case 2:
      return pickOne(random, edges.double);
    case 3:
      return random(2) === 0;
    case 4:
      return pickOne<Value>(random, [[], {}, '', 0]);
    case 5:
      return edgeText(random);
    case 6:
      return Array.from({ length: random(3) }, () => anyValue(random, depth - 1));
    default:
      return anyObject(random, depth - 1);
  }
}

export function anyObject(random: Random, depth: number): Value {
  return Object.fromEntries(
    Array.from({ length: 1 + random(3) }, () => [edgeText(random), anyValue(random, depth)]),
  );
}
