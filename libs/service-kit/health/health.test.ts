import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BackendRefusal } from '@binnacle/backend-access';
import { createHealth, type HealthRequest } from './health.ts';

function createTestHealth(failing: readonly string[] = []) {
  const health = createHealth();
  const check = (name: string) => () => {
    if (failing.includes(name)) throw new Error('for reasons');
  };
  health.add('etcd', check('etcd'));
  health.add('poststarthook/roles', check('poststarthook/roles'));
  health.add('loop', check('loop'), { live: true });
  return health;
}

const cases: [string, readonly string[], HealthRequest, number, string][] = [
  ['health is one word', [], { endpoint: 'readyz' }, 200, 'ok'],
  [
    'verbose is a line a check, and a verdict',
    [],
    { endpoint: 'readyz', verbose: true },
    200,
    '[+]ping ok\n[+]shutdown ok\n[+]etcd ok\n[+]poststarthook/roles ok\n[+]loop ok\nhealthz check passed\n',
  ],
  [
    'the old name',
    [],
    { endpoint: 'healthz', verbose: true },
    200,
    '[+]ping ok\n[+]etcd ok\n[+]poststarthook/roles ok\n[+]loop ok\nhealthz check passed\n',
  ],
  ['liveness is about fewer things', ['etcd'], { endpoint: 'livez' }, 200, 'ok'],
  [
    'a failure is named without its reason',
    ['etcd'],
    { endpoint: 'readyz' },
    500,
    '[+]ping ok\n[+]shutdown ok\n[-]etcd failed: reason withheld\n[+]poststarthook/roles ok\n[+]loop ok\nreadyz check failed\n',
  ],
  [
    'what is excluded does not count, several and unknown ones',
    ['etcd', 'loop'],
    { endpoint: 'healthz', verbose: true, exclude: ['etcd', 'loop', 'unheard'] },
    200,
    '[+]ping ok\n[+]etcd excluded: ok\n[+]poststarthook/roles ok\n[+]loop excluded: ok\nhealthz check passed\n',
  ],
  [
    'excluding one of two',
    ['etcd', 'loop'],
    { endpoint: 'livez', exclude: ['etcd'] },
    500,
    '[+]ping ok\n[-]loop failed: reason withheld\nlivez check failed\n',
  ],
  ['one check', ['etcd'], { endpoint: 'readyz', check: 'poststarthook/roles' }, 200, 'ok'],
  [
    'one check that fails',
    ['etcd'],
    { endpoint: 'readyz', check: 'etcd' },
    500,
    '[-]etcd failed: reason withheld\nreadyz check failed\n',
  ],
  ['one check that is not counted for liveness', [], { endpoint: 'livez', check: 'etcd' }, 200, 'ok'],
  ['an unknown check', [], { endpoint: 'readyz', check: 'unheard' }, 404, '404 page not found\n'],
  [
    'shutdown is a matter of readiness',
    [],
    { endpoint: 'livez', check: 'shutdown' },
    404,
    '404 page not found\n',
  ],
];
for (const [name, failing, request, status, body] of cases) {
  test(name, async () => assert.deepEqual(await createTestHealth(failing).answer(request), { status, body }));
}

test('a stopping process is alive but not ready', async () => {
  const health = createTestHealth();
  health.startShutdown();
  const ready = await health.answer({ endpoint: 'readyz' });
  assert.equal(ready.status, 500);
  assert.match(ready.body, /^\[-\]shutdown failed: reason withheld$/m);
  assert.equal((await health.answer({ endpoint: 'livez' })).status, 200);
});

test('a check that does not end has failed', async () => {
  const failures: string[] = [];
  const health = createHealth({ checkTimeoutMs: 5, onFailure: name => failures.push(name) });
  let aborted = false;
  health.add('stuck', signal => new Promise(() => signal.addEventListener('abort', () => (aborted = true))));
  assert.equal((await health.answer({ endpoint: 'readyz' })).status, 500);
  assert.deepEqual([failures, aborted], [['stuck'], true]);
});

test('readyz names the backend that refuses the service, and no details of other failures', async () => {
  const health = createHealth();
  health.add('feed', () => {
    throw new Error('closed', { cause: new BackendRefusal('kafka', 'credentials') });
  });
  health.add('other', () => {
    throw new Error('the password is x');
  });
  const { status, body } = await health.answer({ endpoint: 'readyz' });
  assert.equal(status, 500);
  assert.match(body, /^\[-\]feed failed: kafka refuses the credentials of this service$/m);
  assert.match(body, /^\[-\]other failed: reason withheld$/m);
});

test('an informational check is shown when it fails, and fails only requests for this check', async () => {
  const logged: string[] = [];
  const health = createHealth({ onFailure: name => logged.push(name) });
  health.add('provider', () => Promise.reject(new Error('for reasons')), { informative: true });
  assert.deepEqual(await health.answer({ endpoint: 'readyz' }), { status: 200, body: 'ok' });
  const { status, body } = await health.answer({ endpoint: 'readyz', verbose: true });
  assert.equal(status, 200);
  assert.match(body, /^\[-\]provider failed, not required: reason withheld$/m);
  assert.match(body, /^healthz check passed$/m);
  assert.equal((await health.answer({ endpoint: 'readyz', check: 'provider' })).status, 500);
  assert.deepEqual(logged, []);
});

test('details of a passing check are shown with verbose, and do not change the result', async () => {
  const health = createHealth();
  let says: string | undefined = 'from elsewhere';
  health.add('feed', () => says);
  const line = async () => (await health.answer({ endpoint: 'readyz', verbose: true })).body.split('\n')[2];
  assert.equal(await line(), '[+]feed ok: from elsewhere');
  assert.deepEqual(await health.answer({ endpoint: 'readyz' }), { status: 200, body: 'ok' });
  says = undefined;
  assert.equal(await line(), '[+]feed ok');
});
