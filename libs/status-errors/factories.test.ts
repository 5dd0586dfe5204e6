import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as errors from './index.ts';
import type { StatusDetails } from './status.ts';

const configmaps = { group: '', resource: 'configmaps' };
const ingresses = { group: 'networking.cluster.io', resource: 'ingresses' };

const cases: {
  error: errors.StatusError;
  code: number;
  reason: string;
  message: string;
  details?: StatusDetails;
}[] = [
  { error: errors.badRequest('no'), code: 400, reason: 'BadRequest', message: 'no' },
  { error: errors.unauthorized(), code: 401, reason: 'Unauthorized', message: 'Unauthorized' },
  {
    error: errors.forbidden(configmaps, '', 'User "bob" cannot list'),
    code: 403,
    reason: 'Forbidden',
    message: 'configmaps is forbidden: User "bob" cannot list',
    details: { kind: 'configmaps' },
  },
  {
    error: errors.forbidden({ group: '', resource: '' }, '', 'User "bob" cannot get path "/metrics"'),
    code: 403,
    reason: 'Forbidden',
    message: 'forbidden: User "bob" cannot get path "/metrics"',
    details: {},
  },
  {
    error: errors.notFound(configmaps, 'a'),
    code: 404,
    reason: 'NotFound',
    message: 'configmaps "a" not found',
    details: { name: 'a', kind: 'configmaps' },
  },
  {
    error: errors.resourceNotFound(),
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
    details: {},
  },
  {
    error: errors.alreadyExists(ingresses, 'a'),
    code: 409,
    reason: 'AlreadyExists',
    message: 'ingresses.networking.cluster.io "a" already exists',
    details: { name: 'a', group: 'networking.cluster.io', kind: 'ingresses' },
  },
  {
    error: errors.requestEntityTooLarge(3145728),
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: 'Request entity too large: limit is 3145728',
  },
  {
    error: errors.tooManyValues('the body', 1000),
    code: 413,
    reason: 'RequestEntityTooLarge',
    message:
      'Request entity too large: the body has more than 1000 values (members of objects and elements of lists)',
  },
  {
    error: errors.invalid({ group: '', kind: 'Service' }, 's', [
      { reason: 'FieldValueRequired', message: 'Required value', field: 'spec.ports' },
    ]),
    code: 422,
    reason: 'Invalid',
    message: 'Service "s" is invalid: spec.ports: Required value',
    details: {
      name: 's',
      kind: 'Service',
      causes: [{ reason: 'FieldValueRequired', message: 'Required value', field: 'spec.ports' }],
    },
  },
  {
    error: errors.tooManyRequests('later', 1),
    code: 429,
    reason: 'TooManyRequests',
    message: 'later',
    details: { retryAfterSeconds: 1 },
  },
  {
    error: errors.serviceUnavailable('storage'),
    code: 503,
    reason: 'ServiceUnavailable',
    message: 'storage',
  },
  {
    error: errors.timeout('too late', 1),
    code: 504,
    reason: 'Timeout',
    message: 'too late',
    details: { retryAfterSeconds: 1 },
  },
];

test('every factory creates the Status of its reason', () => {
  for (const { error, code, reason, message, details } of cases) {
    assert.deepEqual(error.toStatus(), {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      reason,
      ...(details ? { details } : {}),
      code,
    });
  }
});

test('the message of several causes lists each text once, in brackets', () => {
  const error = errors.invalid({ group: 'g.io', kind: 'K' }, 'n', [
    { message: 'Required value', field: 'a' },
    { message: 'bad', field: 'b' },
    { message: 'bad', field: 'b' },
  ]);
  assert.equal(error.message, 'K.g.io "n" is invalid: [a: Required value, b: bad]');
  assert.equal(error.causes.length, 3);
});

test('a lost connection is a 503 that can be told apart from others', () => {
  const error = new errors.ConnectionLost('the connection to storage broke');
  assert.ok(error instanceof errors.StatusError);
  assert.equal(error.code, 503);
  assert.ok(!(errors.serviceUnavailable('x') instanceof errors.ConnectionLost));
});
