import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  quantityFromMilli,
  quantityToNumber,
  quantityToScaled,
  storedQuantity,
  subtractQuantities,
  tryParseQuantity,
} from './quantity.ts';

const canonical: [text: string, written: string][] = [
  ['0', '0'],
  ['-0', '0'],
  ['+7', '7'],
  ['0.25', '250m'],
  ['1500m', '1500m'],
  ['2000m', '2'],
  ['3000k', '3M'],
  ['4096Mi', '4Gi'],
  ['1.5Gi', '1536Mi'],
  ['0.5Ki', '512'],
  ['12e3', '12e3'],
  ['12000e3', '12e6'],
  ['0.0000000001', '1n'],
  ['-1.5', '-1500m'],
  ['.5', '500m'],
  ['5.', '5'],
  ['100Ei', '9223372036854775807'],
];
for (const [text, written] of canonical) {
  test(`${text} is written as ${written}`, () => assert.equal(canonicalQuantity(text), written));
}

for (const text of [
  '',
  '.',
  '-',
  '1.2.3',
  '1 Mi',
  '1mi',
  'Mi',
  '1e',
  '1e99999',
  '0x10',
  '1'.repeat(300),
  '∞',
]) {
  test(`${JSON.stringify(text.slice(0, 12))} is not a quantity`, () => {
    assert.equal(tryParseQuantity(text), undefined);
    assert.throws(() => parseQuantity(text), { code: 400 });
  });
}

test('writing and reading a quantity keeps its amount', () => {
  for (let i = -40; i < 40; i++) {
    for (const suffix of ['n', 'u', 'm', '', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e6']) {
      const quantity = parseQuantity(`${i * 37}${suffix}`);
      assert.equal(compareQuantities(parseQuantity(formatQuantity(quantity)), quantity), 0);
    }
  }
});

test('sums and differences keep the format of the first operand, unless it is zero', () => {
  assert.equal(formatQuantity(addQuantities(parseQuantity('1Gi'), parseQuantity('1024Mi'))), '2Gi');
  assert.equal(formatQuantity(addQuantities(parseQuantity('0'), parseQuantity('2Ki'))), '2Ki');
  assert.equal(formatQuantity(subtractQuantities(parseQuantity('1'), parseQuantity('1500m'))), '-500m');
});

test('conversions round up, away from zero', () => {
  assert.equal(quantityToScaled(parseQuantity('1.0001'), 0), 2n);
  assert.equal(quantityToScaled(parseQuantity('-1.0001'), -3), -1001n);
  assert.equal(quantityToNumber(parseQuantity('2.5Ki')), 2560);
  assert.equal(quantityToNumber(parseQuantity('125m')), 0.125);
  assert.equal(formatQuantity(quantityFromMilli(2500)), '2500m');
});

/** Stored texts by the rule of kube-apiserver 1.26. */
const stored: [sent: string, stored: string][] = [
  ['0', '0'],
  ['00', '0'],
  ['+0', '0'],
  ['0.0', '0'],
  ['0Ki', '0'],
  ['1E3', '1E3'],
  ['1e3', '1e3'],
  ['1e4', '10e3'],
  ['1e-3', '1e-3'],
  ['+5', '+5'],
  ['-5', '-5'],
  ['05', '05'],
  ['005k', '005k'],
  ['5e0', '5e0'],
  ['5.', '5.'],
  ['5.Ki', '5.Ki'],
  ['1.500', '1.500'],
  ['1.5', '1500m'],
  ['0.5', '500m'],
  ['.500', '500m'],
  ['1000', '1k'],
  ['1000m', '1'],
  ['1500', '1500'],
  ['12Gi', '12Gi'],
  ['+3Gi', '+3Gi'],
  ['+8Gi', '8Gi'],
  ['1024Ki', '1Mi'],
  ['1025Ki', '1025Ki'],
  ['1.5Gi', '1536Mi'],
  ['+5Pi', '5Pi'],
  ['123456789012345678', '123456789012345678'],
  ['+123456789012345678', '+123456789012345678'],
  ['+1234567890123456789', '1234567890123456789'],
  ['1.000000001', '1.000000001'],
  ['0.0000000001', '1n'],
];

test('the text of a quantity that is in the way of the canonical form is kept', () => {
  assert.deepEqual(
    stored.map(([sent]) => [sent, storedQuantity(sent)]),
    stored,
  );
  for (const [sent, kept] of stored)
    if (sent !== '0.0000000001') assert.equal(compareQuantities(parseQuantity(sent), parseQuantity(kept)), 0);
});
