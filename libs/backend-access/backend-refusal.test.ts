import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BackendRefusal, backendRefusalIn } from './backend-refusal.ts';

test('a refusal is found among the causes of an error', () => {
  const refusal = new BackendRefusal('kafka', 'credentials', { cause: new Error('SASL') });
  assert.equal(backendRefusalIn(new Error('a', { cause: new Error('b', { cause: refusal }) })), refusal);
  assert.equal(backendRefusalIn(new Error('a')), undefined);
  assert.equal(backendRefusalIn('text'), undefined);
});
