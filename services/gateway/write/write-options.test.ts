import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@binnacle/status-errors';
import { parseApplyOptions, parseWriteOptions, type WriteOptionsKind } from './write-options.ts';

const refused: readonly { query: string; kind: WriteOptionsKind; field: string; reason: string }[] = [
  { query: 'dryRun=foo', kind: 'CreateOptions', field: 'dryRun', reason: 'FieldValueNotSupported' },
  { query: 'dryRun=All&dryRun=x', kind: 'UpdateOptions', field: 'dryRun', reason: 'FieldValueNotSupported' },
  {
    query: 'fieldValidation=Bad',
    kind: 'CreateOptions',
    field: 'fieldValidation',
    reason: 'FieldValueNotSupported',
  },
  { query: 'force=true', kind: 'PatchOptions', field: 'force', reason: 'FieldValueForbidden' },
  { query: 'force=false', kind: 'PatchOptions', field: 'force', reason: 'FieldValueForbidden' },
  {
    query: `fieldManager=${'x'.repeat(129)}`,
    kind: 'PatchOptions',
    field: 'fieldManager',
    reason: 'FieldValueTooLong',
  },
];

test('invalid options are refused with the name of the field', () => {
  for (const { query, kind, field, reason } of refused) {
    assert.throws(
      () => parseWriteOptions(new URLSearchParams(query), kind),
      (error: unknown) => {
        assert.ok(error instanceof StatusError);
        assert.deepEqual(
          [error.code, error.details?.kind, error.details?.group],
          [422, kind, 'meta.cluster.io'],
        );
        assert.deepEqual(
          error.causes.map(cause => [cause.field, cause.reason]),
          [[field, reason]],
        );
        return true;
      },
      query,
    );
  }
});

test('an apply requires a field manager, and may be forced', () => {
  const applied = (query: string) => parseApplyOptions(new URLSearchParams(query));
  assert.deepEqual(
    ['fieldManager=me', 'fieldManager=me&force=true', 'fieldManager=me&force=false'].map(
      query => applied(query).force,
    ),
    [false, true, false],
  );
  assert.throws(
    () => applied('force=true'),
    (error: StatusError) => {
      const causes = error.causes.map(({ field, reason }) => [field, reason]);
      assert.deepEqual([error.code, causes], [422, [['fieldManager', 'FieldValueRequired']]]);
      return true;
    },
  );
});

test('an empty dryRun is a normal request, and a repeated All a dry run', () => {
  const dryRun = (query: string) => parseWriteOptions(new URLSearchParams(query), 'CreateOptions').dryRun;
  assert.deepEqual(['', 'dryRun', 'dryRun=', 'dryRun=All', 'dryRun=All&dryRun=All'].map(dryRun), [
    false,
    false,
    false,
    true,
    true,
  ]);
});

test('admission sees the options as sent', () => {
  const query = new URLSearchParams('dryRun=All&fieldManager=me&fieldValidation=Strict');
  const { json, fieldValidation } = parseWriteOptions(query, 'UpdateOptions');
  assert.equal(fieldValidation, 'Strict');
  assert.deepEqual(JSON.parse(Buffer.from(json).toString()), {
    kind: 'UpdateOptions',
    apiVersion: 'meta.cluster.io/v1',
    dryRun: ['All'],
    fieldManager: 'me',
    fieldValidation: 'Strict',
  });
});

test('options that were valid do not make others valid', () => {
  const parsed = (query: string) => parseWriteOptions(new URLSearchParams(query), 'UpdateOptions');
  for (const valid of ['fieldManager=me', 'fieldValidation=Strict&fieldManager=me', 'dryRun=All&dryRun=All'])
    assert.deepEqual(parsed(valid), parsed(valid));
  for (const wrong of [
    'fieldManager=me%0A',
    'fieldValidation=Strict%0Ame',
    'dryRun=All%2CAll',
    'dryRun=other&fieldManager=me',
  ])
    assert.throws(() => parsed(wrong), { code: 422 }, wrong);
});
