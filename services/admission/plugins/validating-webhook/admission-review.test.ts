import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseWebhookAnswer } from './admission-review.ts';

const answer = (response: unknown, head: object = {}) =>
  Buffer.from(
    JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.cluster.io/v1', ...head, response }),
  );

test('an answer is read with its remarks', () => {
  const response = {
    uid: 'u',
    allowed: false,
    status: { message: 'no', code: 418 },
    warnings: ['w', 1],
    auditAnnotations: { a: 'b', c: 2 },
  };
  assert.deepEqual(parseWebhookAnswer(answer(response), 'v1', 'u'), {
    allowed: false,
    status: { message: 'no', code: 418 },
    warnings: ['w'],
    auditAnnotations: { a: 'b' },
  });
});

test('the other spelling of the group is taken', () => {
  const head = { apiVersion: 'admission.k8s.io/v1' };
  assert.equal(parseWebhookAnswer(answer({ uid: 'u', allowed: true }, head), 'v1', 'u').allowed, true);
});

test('the older version does not demand the uid back', () => {
  const head = { apiVersion: 'admission.cluster.io/v1beta1' };
  assert.equal(parseWebhookAnswer(answer({ allowed: true }, head), 'v1beta1', 'u').allowed, true);
});

const useless: readonly [string, Buffer, RegExp][] = [
  ['text', Buffer.from('nonsense'), /not JSON/],
  ['a list', Buffer.from('[]'), /not an object/],
  [
    'another version',
    answer({ uid: 'u', allowed: true }, { apiVersion: 'admission.cluster.io/v2' }),
    /expected webhook response/,
  ],
  ['no kind', answer({ uid: 'u', allowed: true }, { kind: undefined }), /expected webhook response/],
  ['no response', answer(undefined), /absent/],
  ['another uid', answer({ uid: 'x', allowed: true }), /expected response.uid="u", got "x"/],
  ['no decision', answer({ uid: 'u' }), /allowed/],
];

test('an answer that is none is refused with the reason', () => {
  for (const [what, body, reason] of useless)
    assert.throws(() => parseWebhookAnswer(body, 'v1', 'u'), reason, what);
});
