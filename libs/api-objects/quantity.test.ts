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
  test(`${JSON.stringify(text.slice(0, 12))} is no quantity`, () => {
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

test('sums and differences keep the format of the first, unless that is zero', () => {
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
