import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { readJson } from '@binnacle/api-objects';
import { typeFromSchema } from '../types/schema-types.ts';
import { CelError } from './cel-error.ts';
import { codePointLength, compareText, unitOffset } from './code-points.ts';
import { Duration, formatDuration, parseDuration } from './duration.ts';
import { equalValues } from './equality.ts';
import { valueFromJson } from './json-reader.ts';
import { compareValues } from './ordering.ts';
import { dateInZone } from './time-zone.ts';
import { formatTimestamp, parseDateOrTimestamp, Timestamp } from './timestamp.ts';
import { Uint } from './uint.ts';

const unmetered = { traverse: () => undefined };

describe('texts', () => {
  it('have the length of their code points', () => {
    assert.equal(codePointLength('a👑ü'), 3);
    assert.equal(codePointLength('\ud83d'), 1);
    assert.equal(unitOffset('a👑ü', 2), 3);
    assert.equal(unitOffset('a👑ü', 9), 4);
  });

  it('are ordered by code point, beyond the basic plane too', () => {
    assert.ok(compareText('\uffee', '👑') < 0);
    assert.ok(compareText('a', 'ab') < 0);
    assert.ok(compareText('\ud7ff', '\ue000') < 0);
  });
});

describe('durations', () => {
  const written: readonly (readonly [string, string | undefined])[] = [
    ['1h2m3s4ms', '3723.004s'],
    ['-1.5s', '-1.5s'],
    ['0', '0s'],
    ['1.000000001s', '1.000000001s'],
    ['90µs', '0.00009s'],
    ['', undefined],
    ['1', undefined],
    ['1h-2m', undefined],
    ['300000000h', undefined],
  ];
  for (const [text, shown] of written)
    test(text, () => {
      const duration = parseDuration(text);
      assert.equal(duration instanceof Duration ? formatDuration(duration) : undefined, shown);
    });
});

describe('timestamps', () => {
  const written: readonly (readonly [string, string | undefined])[] = [
    ['1997-07-16', '1997-07-16T00:00:00Z'],
    ['2011-08-18T19:03:37.010+01:00', '2011-08-18T19:03:37.01+01:00'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
    ['2023-02-29T00:00:00Z', undefined],
    ['0001-01-01T00:00:00+01:00', undefined],
    ['2023-02-28 00:00:00Z', undefined],
    ['2023-02-28T24:00:00Z', undefined],
  ];
  for (const [text, shown] of written)
    test(text, () => {
      const timestamp = parseDateOrTimestamp(text);
      assert.equal(timestamp instanceof Timestamp ? formatTimestamp(timestamp) : undefined, shown);
    });

  it('have a date and hour in every time zone', () => {
    const moment = new Timestamp(Date.UTC(2024, 6, 1, 23, 30) / 1000, 0);
    const shown = (zone: string) => {
      const date = dateInZone(moment, zone);
      return date instanceof CelError ? undefined : date.toISOString().slice(0, 16);
    };
    assert.equal(shown('UTC'), '2024-07-01T23:30');
    assert.equal(shown('Europe/Berlin'), '2024-07-02T01:30');
    assert.equal(shown('-09:30'), '2024-07-01T14:00');
    assert.equal(shown('Nowhere/Land'), undefined);
  });
});

describe('numbers', () => {
  it('are equal by value, whatever their types, and exactly', () => {
    assert.equal(equalValues(1n, 1, unmetered), true);
    assert.equal(equalValues(new Uint(1n), 1, unmetered), true);
    assert.equal(equalValues(2n ** 53n + 1n, 2 ** 53, unmetered), false);
    assert.equal(equalValues(Number.NaN, Number.NaN, unmetered), false);
    assert.equal(equalValues(1n, '1', unmetered), false);
  });

  it('are ordered across numeric types', () => {
    assert.equal(compareValues(1n, new Uint(2n)), -1);
    assert.equal(compareValues(1.5, 1n), 1);
    assert.ok(Number.isNaN(compareValues(Number.NaN, 1)));
    assert.equal(compareValues(1n, 'a'), undefined);
  });
});

describe('JSON', () => {
  const isError = (json: unknown, schema: Parameters<typeof typeFromSchema>[0]) =>
    valueFromJson(json, typeFromSchema(schema)) instanceof CelError;

  it('has the type of its schema, or is an error', () => {
    assert.equal(valueFromJson(3, typeFromSchema({ type: 'number' })), 3);
    assert.equal(valueFromJson(3, typeFromSchema({ type: 'integer' })), 3n);
    assert.deepEqual(
      valueFromJson('QUI=', typeFromSchema({ type: 'string', format: 'byte' })),
      new Uint8Array([65, 66]),
    );
    assert.equal(isError(3.5, { type: 'integer' }), true);
    assert.equal(isError('?', { type: 'string', format: 'byte' }), true);
    assert.equal(isError({}, { type: 'array', items: { type: 'string' } }), true);
    assert.equal(isError(true, { 'x-cluster-int-or-string': true }), true);
  });

  it('is null only where the schema allows it', () => {
    assert.equal(isError(null, { type: 'string' }), true);
    assert.equal(valueFromJson(null, typeFromSchema({ type: 'string', nullable: true })), null);
    assert.equal(valueFromJson(null), null);
  });

  it('keeps integers of 64 bits, and converts larger numbers to doubles', () => {
    for (const text of ['9223372036854775807', '-9223372036854775808', '9007199254740993'])
      assert.equal(valueFromJson(readJson(text)), BigInt(text));
    assert.equal(valueFromJson(readJson('1e16')), 10n ** 16n);
    for (const text of ['9223372036854775808', '1e19', '0.5'])
      assert.equal(valueFromJson(readJson(text)), Number(text));
  });
});
