import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Etcd3 } from 'etcd3';

test('etcd3 still has the internals that are replaced: the connections of each host and their close', () => {
  const client = new Etcd3({ hosts: ['http://127.0.0.1:1', 'http://127.0.0.1:2'] });
  try {
    // Not in its types.
    const { hosts } = (client as unknown as { pool: { hosts: Record<string, unknown>[] } }).pool;
    assert.deepEqual(
      hosts.map(({ resetAllServices, close, closed }) => [typeof resetAllServices, typeof close, closed]),
      [
        ['function', 'function', false],
        ['function', 'function', false],
      ],
    );
    // Closing a host is to close its connections and to mark it; that is all that its replacement does.
    const [host] = hosts;
    let resets = 0;
    assert.ok(host !== undefined);
    host['resetAllServices'] = () => resets++;
    (host['close'] as () => void).call(host);
    assert.deepEqual([resets, host['closed']], [1, true]);
  } finally {
    client.close();
  }
});
