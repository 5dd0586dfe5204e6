import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressBytes } from './address-bytes.ts';
import { createKnownHosts } from './known-hosts.ts';

/** Creates known hosts with a resolver that returns the given answers. */
function hostsUnderTest(answers: (readonly string[] | Error)[]) {
  const time = { now: 0 };
  const lookups: string[] = [];
  const hosts = createKnownHosts({
    hosts: ['storage:7001'],
    clock: () => time.now,
    freshMs: 10,
    keepMs: 100,
    timeoutMs: 60_000,
    async lookup(name) {
      lookups.push(name);
      const answer = answers.shift() ?? [];
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  const isKnown = (address: string) => hosts.isKnown(addressBytes(address) ?? new Uint8Array(0));
  return { hosts, time, lookups, isKnown };
}

test('names are resolved periodically, and concurrent callers share a lookup', async () => {
  const { hosts, time, lookups } = hostsUnderTest([['10.0.0.1'], ['10.0.0.1'], ['10.0.0.1']]);
  await Promise.all([hosts.refresh(), hosts.refresh(), hosts.refresh()]);
  await hosts.refresh();
  assert.equal(lookups.length, 1);
  time.now = 11;
  await hosts.refresh();
  assert.deepEqual(lookups, ['storage', 'storage']);
});

test('an address is remembered for a while after its name no longer resolves to it', async () => {
  const { hosts, time, isKnown } = hostsUnderTest([['10.0.0.1'], ['10.0.0.2'], ['10.0.0.2']]);
  await hosts.refresh();
  time.now = 50;
  await hosts.refresh();
  assert.deepEqual([isKnown('10.0.0.1'), isKnown('10.0.0.2')], [true, true]);
  time.now = 101;
  await hosts.refresh();
  assert.deepEqual([isKnown('10.0.0.1'), isKnown('10.0.0.2')], [false, true]);
});

test('a failing resolver is an error only until addresses are known, which are then kept', async () => {
  const failure = Object.assign(new Error('try again'), { code: 'EAI_AGAIN' });
  const { hosts, time, isKnown } = hostsUnderTest([failure, ['10.0.0.1'], failure]);
  await assert.rejects(hosts.refresh(), failure);
  await hosts.refresh();
  time.now = 1000;
  await hosts.refresh();
  assert.ok(isKnown('10.0.0.1'));
});

test('a name that does not exist protects no address', async () => {
  const missing = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
  const { hosts, isKnown } = hostsUnderTest([missing, ['10.0.0.1']]);
  await hosts.refresh();
  await hosts.refresh();
  assert.ok(isKnown('10.0.0.1'));
});

test('a resolver that does not answer is given up after a timeout', async () => {
  const hosts = createKnownHosts({
    hosts: ['storage:7001'],
    timeoutMs: 1,
    lookup: () => new Promise(() => {}),
  });
  await assert.rejects(hosts.refresh(), /does not answer/);
});

for (const host of ['storage', ':7001', 'a:b:1', '[fd00::1]', 'storage:port'])
  test(`${host} is not host:port`, () => {
    assert.throws(() => createKnownHosts({ hosts: [host] }), TypeError);
  });
