import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomUid } from './name-generator.ts';

test('UIDs are random UUIDs of version 4, each another one', () => {
  const uids = Array.from({ length: 1000 }, randomUid);
  for (const uid of uids)
    assert.match(uid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(new Set(uids).size, uids.length);
  // Every digit that is not fixed takes each of its values.
  for (let at = 0; at < 36; at++) {
    const digits = new Set(uids.map(uid => uid[at]));
    const most = at === 19 ? 4 : [8, 13, 14, 18, 23].includes(at) ? 1 : 16;
    assert.equal(digits.size, most, `digit ${at}`);
  }
});
