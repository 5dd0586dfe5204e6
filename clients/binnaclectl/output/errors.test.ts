import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServerUnreachable } from '@binnacle/client';
import { statusErrorFromStatus } from '@binnacle/status-errors';
import { errorText, FailedStep } from './errors.ts';

const statuses: [what: string, status: object, text: string][] = [
  [
    'of a name that does not exist',
    { reason: 'NotFound', message: 'configmaps "x" not found', code: 404 },
    'Error from server (NotFound): configmaps "x" not found',
  ],
  [
    'of a right that is missing',
    { reason: 'Forbidden', message: 'pods is forbidden: User "bob" cannot list', code: 403 },
    'Error from server (Forbidden): pods is forbidden: User "bob" cannot list',
  ],
  [
    'of credentials that are not accepted',
    { reason: 'Unauthorized', message: 'Unauthorized', code: 401 },
    'error: You must be logged in to the server (Unauthorized)',
  ],
  ['without a reason', { message: 'broken', code: 500 }, 'Error from server: broken'],
  ['without anything', {}, 'Error from server: the server answered with code 500'],
  [
    'of one wrong field',
    {
      reason: 'Invalid',
      code: 422,
      message: 'x',
      details: { kind: 'Pod', name: 'a', causes: [{ field: 'spec', message: 'Required value' }] },
    },
    'The Pod "a" is invalid: spec: Required value',
  ],
  [
    'of several wrong fields',
    {
      reason: 'Invalid',
      code: 422,
      message: 'x',
      details: {
        kind: 'Pod',
        name: 'a',
        causes: [{ field: 'spec.a', message: 'Required value' }, { message: 'too much' }],
      },
    },
    'The Pod "a" is invalid: \n* spec.a: Required value\n* too much',
  ],
];

for (const [what, status, text] of statuses) {
  test(`the text of an error ${what}`, () =>
    assert.equal(errorText(statusErrorFromStatus(status, 500)), text));
}

test('the message of the server follows the operation that failed', () => {
  const cause = statusErrorFromStatus({ reason: 'NotFound', message: 'gone', code: 404 }, 404);
  const text = errorText(new FailedStep('error when applying "a.yaml"', cause));
  assert.equal(text, 'Error from server (NotFound): error when applying "a.yaml": gone');
});

test('a refused connection has the message of kubectl', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  assert.equal(
    errorText(new ServerUnreachable('h:1', refused)),
    'The connection to the server h:1 was refused - did you specify the right host or port?',
  );
  assert.equal(
    errorText(new ServerUnreachable('h:1', new Error('certificate has expired'))),
    'Unable to connect to the server: h:1: certificate has expired',
  );
});

test('a failure that is no answer of the server is its message alone, without a stack', () => {
  assert.equal(errorText(new Error('bad')), 'error: bad');
  assert.equal(errorText('bad'), 'error: bad');
});
