import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionFlags } from './connection-flags.ts';

test('the number of streams per connection is limited to the range of HTTP/2 and of the server', () => {
  const flag = connectionFlags.http2MaxStreamsPerConnection;
  for (const good of ['0', '1', '100000']) assert.equal(flag.parse([good]), Number(good));
  for (const bad of ['-1', '100001', `${2 ** 32}`]) assert.throws(() => flag.parse([bad]), /must be/, bad);
});

test('the chance of a GOAWAY is as small as in kube-apiserver', () => {
  const flag = connectionFlags.goawayChance;
  for (const good of ['0', '0.001', '.02']) assert.equal(flag.parse([good]), Number(good));
  for (const bad of ['0.021', '1', '-0.01', '1e-3', 'NaN', '', '.'])
    assert.throws(() => flag.parse([bad]), /must be/, bad);
});
