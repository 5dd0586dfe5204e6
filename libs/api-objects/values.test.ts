import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as objects from './index.ts';

test('ages are written in at most two units', () => {
  const minute = 60_000;
  const hour = 60 * minute;
  const day = 24 * hour;
  const ages: [ms: number, text: string][] = [
    [-5000, '<invalid>'],
    [-10, '0s'],
    [0, '0s'],
    [119_999, '119s'],
    [2 * minute, '2m'],
    [9 * minute + 5000, '9m5s'],
    [100 * minute, '100m'],
    [3 * hour + 4 * minute, '3h4m'],
    [30 * hour, '30h'],
    [5 * day + 3 * hour, '5d3h'],
    [100 * day, '100d'],
    [(3 * 365 + 2) * day, '3y2d'],
    [9 * 365 * day, '9y'],
  ];
  for (const [ms, text] of ages) assert.equal(objects.humanDuration(ms), text);
});

test('durations are read and written', () => {
  for (const text of ['0s', '1h0m0s', '1.5s', '200ms', '10µs', '7ns', '1m30s', '-2s']) {
    assert.equal(objects.formatDuration(objects.parseDuration(text)!), text);
  }
  for (const text of ['', '5', '1x', 's', '1h ', '9'.repeat(70)])
    assert.equal(objects.parseDuration(text), undefined);
});

test('times are written in UTC and read with any offset', () => {
  assert.equal(objects.timestampFrom(1_700_000_000_999), '2023-11-14T22:13:20Z');
  assert.equal(objects.timestampFrom(1_700_000_000_000), '2023-11-14T22:13:20Z');
  assert.equal(objects.timestampFrom(1_700_000_001_000), '2023-11-14T22:13:21Z');
  assert.equal(objects.microTimestampFrom(1_700_000_000_123.5), '2023-11-14T22:13:20.123500Z');
  assert.equal(objects.parseTimestamp('2023-11-15T00:13:20.5+02:00'), 1_700_000_000_500);
  for (const text of [
    '',
    '2023-02-30T00:00:00Z',
    '2023-01-01',
    '2023-01-01T25:00:00Z',
    '2023-01-01T00:00:00',
  ]) {
    assert.equal(objects.parseTimestamp(text), undefined, text);
  }
});

test('a resourceVersion is decimal digits', () => {
  assert.equal(objects.parseResourceVersion(''), 0);
  assert.equal(objects.parseResourceVersion('42'), 42);
  for (const text of ['abc', '-1', '1.5', '9'.repeat(40), ' 1']) {
    assert.throws(() => objects.parseResourceVersion(text), { code: 400 });
  }
});

test('generated names have at most 63 characters and a suffix without vowels', () => {
  const name = objects.generateNameFrom('a'.repeat(80));
  assert.equal(name.length, 63);
  assert.match(objects.generateNameFrom('web-'), /^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
});

test('an apiVersion is split into group and version', () => {
  assert.deepEqual(objects.parseApiVersion('apps/v1'), { group: 'apps', version: 'v1' });
  assert.equal(objects.formatApiVersion(objects.parseApiVersion('v1')), 'v1');
  assert.throws(() => objects.parseApiVersion('a/b/c'), { code: 400 });
});

test('a field error becomes a status cause with path, reason and message', () => {
  const path = objects.fieldPath('spec').child('ports').index(0).key('x');
  assert.deepEqual(objects.causeFromFieldError(objects.invalidField(path, 'a"b', 'is odd')), {
    reason: 'FieldValueInvalid',
    message: 'Invalid value: "a\\"b": is odd',
    field: 'spec.ports[0][x]',
  });
  assert.equal(objects.causeFromFieldError(objects.requiredField('a')).message, 'Required value');
  const unsupported = objects.causeFromFieldError(objects.notSupportedField('a', 'z', ['x', 'y']));
  assert.equal(unsupported.message, 'Unsupported value: "z": supported values: "x", "y"');
});

test('copies share nothing with the original and keep members named like prototype properties', () => {
  const original = JSON.parse('{"__proto__":{"a":[1]},"b":{"constructor":1}}') as objects.JsonObject;
  const copy = objects.copyJson(original);
  assert.equal(objects.equalJson(copy, original), true);
  assert.equal(Object.getPrototypeOf(copy), Object.prototype);
  assert.equal(objects.ownProperty({}, 'constructor'), undefined);
  assert.equal(objects.equalJson({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }), true);
  assert.equal(objects.equalJson({ a: [1, 2] }, { a: [2, 1] }), false);
});
