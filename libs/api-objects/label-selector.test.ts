import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldPath } from './field-path.ts';
import { validateLabelRequirement } from './label-requirement.ts';
import {
  everything,
  labelSelectorFrom,
  nothing,
  parseLabelSelector,
  validateLabelSelector,
} from './label-selector.ts';

const shop = { app: 'shop', tier: 'front', size: '12' };

const questions: { selector: string; labels: Record<string, string>; matches: boolean }[] = [
  { selector: '', labels: {}, matches: true },
  { selector: 'app=shop', labels: shop, matches: true },
  { selector: 'app==shop,tier=back', labels: shop, matches: false },
  { selector: 'app!=blog', labels: {}, matches: true },
  { selector: 'app!=shop', labels: shop, matches: false },
  { selector: 'tier in (front, back)', labels: shop, matches: true },
  { selector: 'tier in (back, side)', labels: shop, matches: false },
  { selector: 'tier in (back, side)', labels: {}, matches: false },
  { selector: 'tier in (back,)', labels: { tier: '' }, matches: true },
  { selector: 'tier notin (front)', labels: {}, matches: true },
  { selector: 'tier notin (front,back)', labels: shop, matches: false },
  { selector: 'tier notin (back,side)', labels: shop, matches: true },
  { selector: 'tier notin (back,side)', labels: {}, matches: true },
  { selector: 'app', labels: shop, matches: true },
  { selector: '!app', labels: shop, matches: false },
  { selector: '!owner', labels: shop, matches: true },
  { selector: 'size>11,size<13', labels: shop, matches: true },
  { selector: 'size>12', labels: shop, matches: false },
  { selector: 'app>1', labels: shop, matches: false },
  { selector: 'size>9', labels: { size: '10' }, matches: true },
  { selector: 'size>4', labels: { size: '5'.padStart(63, '0') }, matches: true },
  { selector: 'size>4', labels: { size: '5'.padStart(64, '0') }, matches: false },
  { selector: 'size>4', labels: { size: '9223372036854775807' }, matches: true },
  { selector: 'size>4', labels: { size: '9223372036854775808' }, matches: false },
  { selector: 'constructor', labels: {}, matches: false },
  { selector: '!toString', labels: {}, matches: true },
];

for (const { selector, labels, matches } of questions) {
  test(`${selector || 'the empty selector'} ${matches ? 'matches' : 'does not match'} ${JSON.stringify(labels)}`, () => {
    assert.equal(parseLabelSelector(selector).matches(labels), matches);
  });
}

test('a requirement has as many values as its operator takes', () => {
  const counts = (operator: string) =>
    [0, 1, 2].filter(count => validateLabelRequirement('a', operator, Array(count).fill('1')).length === 0);
  for (const operator of ['in', 'notin']) assert.deepEqual(counts(operator), [1, 2], operator);
  for (const operator of ['exists', '!']) assert.deepEqual(counts(operator), [0], operator);
  for (const operator of ['=', '==', '!=', 'gt', 'lt']) assert.deepEqual(counts(operator), [1], operator);
});

test('a selector is written back in canonical form', () => {
  const written = parseLabelSelector(' z , b notin (y,x,y) ,a==1, !c,d in ()').toString();
  assert.equal(written, 'a==1,b notin (x,y),!c,d in (),z');
  assert.equal(parseLabelSelector(written).toString(), written);
});

test('equality requirements can be listed for an index', () => {
  const terms = parseLabelSelector('b in (x),a=1').requirements.map(({ key, operator, values }) => ({
    key,
    operator,
    values,
  }));
  assert.deepEqual(terms, [
    { key: 'a', operator: '=', values: ['1'] },
    { key: 'b', operator: 'in', values: ['x'] },
  ]);
});

for (const text of [
  'a=b=c',
  'a,,b',
  ',a',
  'a,',
  '!a=b',
  'a in (b',
  'a in b',
  'a (',
  'a=&',
  'a<b',
  '-a',
  '(',
  'a in (b c)',
  `a=${'x'.repeat(64)}`,
]) {
  test(`${text.slice(0, 20)} is refused as a selector`, () => {
    assert.throws(() => parseLabelSelector(text), {
      reason: 'BadRequest',
      message: /unable to parse requirement/,
    });
  });
}

test('a selector of more than 64 KiB is refused before it is read', () => {
  assert.throws(() => parseLabelSelector('a,'.repeat(40_000)), { code: 400 });
});

test('the structured form selects the same as the text form', () => {
  const selector = labelSelectorFrom({
    matchLabels: { app: 'shop' },
    matchExpressions: [
      { key: 'tier', operator: 'In', values: ['front', 'back'] },
      { key: 'owner', operator: 'DoesNotExist' },
    ],
  });
  assert.equal(selector.toString(), 'app=shop,!owner,tier in (back,front)');
  assert.equal(selector.matches(shop), true);
  assert.equal(labelSelectorFrom({}), everything);
  assert.equal(labelSelectorFrom(null), nothing);
  assert.equal(nothing.matches({}), false);
});

test('the structured form is checked field by field', () => {
  const errors = validateLabelSelector(
    {
      matchLabels: { '-a': 'b' },
      matchExpressions: [
        { key: 'a', operator: 'Near' },
        { key: 'b', operator: 'Exists', values: ['x'] },
        { key: 'c', operator: 'In' },
      ],
    },
    fieldPath('spec', 'selector'),
  );
  assert.deepEqual(
    errors.map(({ type, field }) => `${type} ${field}`),
    [
      'Invalid spec.selector.matchLabels',
      'Invalid spec.selector.matchExpressions[0].operator',
      'Forbidden spec.selector.matchExpressions[1].values',
      'Required spec.selector.matchExpressions[2].values',
    ],
  );
});
