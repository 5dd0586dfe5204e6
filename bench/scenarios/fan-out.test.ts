import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failuresOfBoth } from './fan-out.ts';

test('a comparison of protocols reports the failures of both runs', () => {
  assert.deepEqual(failuresOfBoth({ '409': 1, 'events not delivered': 5 }, { '409': 2 }), {
    '409': 2,
    '409 (HTTP/1.1)': 1,
    'events not delivered (HTTP/1.1)': 5,
  });
});
