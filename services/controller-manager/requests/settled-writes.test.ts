import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@binnacle/status-errors';
import { recordedRequests } from '../test-drivers/recorded-requests.ts';
import { createUnlessTerminating, deleteUnlessChanged, updateUnlessChanged } from './settled-writes.ts';

const resource = { group: '', version: 'v1', resource: 'secrets' };
const object = { metadata: { name: 's', namespace: 'n', uid: 'u1', resourceVersion: '7' } };
const path = '/api/v1/namespaces/n/secrets';
const { signal } = new AbortController();

const createError = (code: number, cause?: string) =>
  new StatusError({
    reason: 'Forbidden',
    code,
    message: 'no',
    details: cause === undefined ? {} : { causes: [{ reason: cause, message: '', field: '' }] },
  });

const cases = [
  { write: createUnlessTerminating, request: `POST ${path}`, settled: [404, 409], thrown: [403, 422, 500] },
  { write: updateUnlessChanged, request: `PUT ${path}/s`, settled: [404, 409], thrown: [403, 422, 503] },
  { write: deleteUnlessChanged, request: `DELETE ${path}/s`, settled: [404, 409], thrown: [403, 500] },
];

for (const { write, request, settled, thrown } of cases) {
  const attempt = (answer: object) => {
    const { client } = recordedRequests({ [request]: answer });
    return write({ resource, object }, client, signal);
  };

  test(`${request} counts as done after a concurrent write by another client`, async () => {
    for (const code of settled) await attempt(createError(code));
  });

  test(`${request} throws any other error`, async () => {
    for (const code of thrown) await assert.rejects(attempt(createError(code)), { code });
  });
}

test('a creation in a terminating namespace is skipped without an error', async () => {
  const { client } = recordedRequests({ [`POST ${path}`]: createError(403, 'NamespaceTerminating') });
  await createUnlessTerminating({ resource, object }, client, signal);
});

test('a deletion has the uid of the observed object as precondition', async () => {
  const { client, requests } = recordedRequests();
  await deleteUnlessChanged({ resource, object }, client, signal);
  assert.deepEqual(
    requests.map(({ body }) => body),
    [{ apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: 'u1', resourceVersion: '7' } }],
  );
});
