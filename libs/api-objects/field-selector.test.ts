import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFieldSelector } from './field-selector.ts';

test('all terms must hold, and an absent field is empty', () => {
  const selector = parseFieldSelector('status.phase!=Done,metadata.name==web,spec.nodeName=');
  assert.equal(selector.matches({ 'metadata.name': 'web', 'status.phase': 'Ready' }), true);
  assert.equal(selector.matches({ 'metadata.name': 'web', 'status.phase': 'Done' }), false);
  assert.equal(selector.matches({ 'metadata.name': 'web', 'spec.nodeName': 'n1' }), false);
});

test('the requirements of a selector can be read and written in canonical form', () => {
  const selector = parseFieldSelector('b!=2,,a==x\\,y\\=z\\\\');
  assert.deepEqual(selector.requirements, [
    { field: 'a', operator: '=', value: 'x,y=z\\' },
    { field: 'b', operator: '!=', value: '2' },
  ]);
  assert.equal(parseFieldSelector(selector.toString()).toString(), selector.toString());
});

test('a field that only the prototype has counts as absent', () => {
  assert.equal(parseFieldSelector('constructor=').matches({}), true);
});

for (const text of ['a', 'a=b=c', 'a in (b)', 'a=b\\', 'a=b\\c', 'a=b,c', `a=${'x'.repeat(70_000)}`]) {
  test(`${text.slice(0, 20)} is refused as a field selector`, () => {
    assert.throws(() => parseFieldSelector(text), { code: 400, message: /invalid selector/ });
  });
}
