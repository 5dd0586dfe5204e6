import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import {
  type IssuedCertificate,
  issueAuthority,
  issueCertificate,
  issueIntermediates,
} from '@binnacle/tls/testing';
import {
  type AuthenticatingTarget,
  askOnce,
  type Heard,
  openHttp1,
  showing,
  startAuthenticatingTarget,
  trusting,
} from './test-drivers/authenticating-target.ts';

const protocols = ['http/1.1', 'h2'] as const;
const [clientCa, proxyCa, strangerCa] = await Promise.all([
  issueAuthority('client-ca', 3),
  issueAuthority('proxy-ca', 3),
  issueAuthority('stranger-ca', 3),
]);
const own = await issueCertificate(strangerCa, { commonName: 'server', usages: ['server'], validDays: 1 });
const createClient = (
  issuer: IssuedCertificate,
  commonName: string,
  more: { readonly organizations?: readonly string[]; readonly validDays?: number } = {},
) => issueCertificate(issuer, { commonName, usages: ['client'], validDays: 1, ...more });
const soonMs = 3600_000;

const clients = {
  'no certificate': undefined,
  'a certificate of the client authority': await createClient(clientCa, 'ann', { organizations: ['ops'] }),
  'a certificate of the client authority with the name of a proxy': await createClient(clientCa, 'front'),
  'a certificate of the proxy authority with another name': await createClient(proxyCa, 'ann'),
  'a certificate of the proxy authority without an allowed letter case': await createClient(proxyCa, 'FRONT'),
  'an allowed certificate of the proxy authority': await createClient(proxyCa, 'front'),
  'the second allowed name': await createClient(proxyCa, 'front-b'),
  'an expired certificate of the proxy authority': await createClient(proxyCa, 'front', { validDays: -0.01 }),
  'an expired certificate of the client authority': await createClient(clientCa, 'ann', { validDays: -0.01 }),
  'a certificate of a stranger': await createClient(strangerCa, 'front'),
} satisfies Record<string, IssuedCertificate | undefined>;

let target: AuthenticatingTarget;
before(async () => {
  target = await startAuthenticatingTarget({
    ...own,
    ...trusting({ clients: [clientCa], proxies: [proxyCa] }),
  });
});
after(() => target?.[Symbol.dispose]());

const proxyHeaders = [
  ['X-First-User', 'root'],
  ['X-Proxy-Group', 'system:masters'],
  ['X-Proxy-Extra-Scope', 'all'],
] as const;
const namedGroups = ['system:masters', 'system:authenticated'];

/** Undefined: 401. */
const verdicts: Record<keyof typeof clients, readonly [username: string, groups: string[]] | undefined> = {
  'no certificate': ['system:anonymous', ['system:unauthenticated']],
  'a certificate of the client authority': ['ann', ['ops', 'system:authenticated']],
  'a certificate of the client authority with the name of a proxy': ['front', ['system:authenticated']],
  'a certificate of the proxy authority with another name': undefined,
  'a certificate of the proxy authority without an allowed letter case': undefined,
  'an allowed certificate of the proxy authority': ['root', namedGroups],
  'the second allowed name': ['root', namedGroups],
  'an expired certificate of the proxy authority': undefined,
  'an expired certificate of the client authority': undefined,
  'a certificate of a stranger': undefined,
};

function assertUser(heard: Heard, verdict: readonly [username: string, groups: string[]] | undefined): void {
  if (verdict === undefined) {
    assertRefused(heard);
    return;
  }
  assert.equal(heard.code, 200, heard.text);
  assert.deepEqual([heard.seen?.user.username, heard.seen?.user.groups], verdict);
}

/** One body for whatever is wrong. */
function assertRefused({ code, text }: Heard): void {
  assert.equal(code, 401);
  assert.deepEqual(JSON.parse(text), {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'Unauthorized',
    reason: 'Unauthorized',
    code: 401,
  });
}

function assertProxyHeadersRemoved({ seen }: Heard): void {
  assert.ok(seen);
  for (const [form, names] of Object.entries(seen.names)) {
    assert.ok(names.includes('x-other'), `${form} keeps other headers`);
    assert.deepEqual(
      names.filter(name => /^(x-first|x-second|x-proxy|impersonate)-/.test(name)),
      [],
      form,
    );
  }
}

const names = Object.keys(clients) as (keyof typeof clients)[]; // The names of the table above.
for (const protocol of protocols)
  for (const name of names)
    test(`${protocol}: the user of proxy headers with ${name}`, async () => {
      const heard = await askOnce(target, protocol, {
        client: clients[name],
        headers: [...proxyHeaders, ['X-Other', 'x']],
      });
      assertUser(heard, verdicts[name]);
      if (verdicts[name] !== undefined) assertProxyHeadersRemoved(heard);
    });

const proxy = clients['an allowed certificate of the proxy authority'];

const readings: readonly {
  readonly what: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly user: object | undefined;
}[] = [
  {
    what: 'the first header for the name is empty',
    headers: [
      ['X-Second-User', 'second'],
      ['X-First-User', ''],
    ],
    user: { username: 'second', uid: '', groups: ['system:authenticated'], extra: {} },
  },
  {
    what: 'the header that is named first comes last, in capitals, and each comes twice',
    headers: [
      ['x-second-user', 'second'],
      ['X-FIRST-USER', 'first'],
      ['X-First-User', 'again'],
    ],
    user: { username: 'first', uid: '', groups: ['system:authenticated'], extra: {} },
  },
  {
    what: 'groups come in several headers, with a comma, and empty',
    headers: [
      ['X-First-User', 'u'],
      ['X-Proxy-Team', 'c'],
      ['X-Proxy-Group', 'a, b'],
      ['X-Proxy-Group', ''],
      ['x-proxy-group', 'system:authenticated'],
    ],
    user: { username: 'u', uid: '', groups: ['a, b', 'system:authenticated', 'c'], extra: {} },
  },
  {
    what: 'keys of extra values are escaped, badly escaped, and the same when they are decoded',
    headers: [
      ['X-Proxy-Extra-Example.com%2FKey', 'one'],
      ['X-First-User', 'u'],
      ['X-Proxy-Extra-%zz', 'bad'],
      ['X-Proxy-Extra-%FF', 'no text'],
      ['X-Proxy-Extra-example.com%2fk%65y', 'two'],
      ['X-Proxy-Extra-__proto__', 'p'],
    ],
    user: {
      username: 'u',
      uid: '',
      groups: ['system:authenticated'],
      extra: {
        'example.com/key': ['one', 'two'],
        '%zz': ['bad'],
        '%ff': ['no text'],
        ['__proto__']: ['p'],
      },
    },
  },
  {
    what: 'the proxy says that the user is anonymous',
    headers: [
      ['X-First-User', 'system:anonymous'],
      ['X-Proxy-Group', 'system:unauthenticated'],
    ],
    user: { username: 'system:anonymous', uid: '', groups: ['system:unauthenticated'], extra: {} },
  },
  { what: 'there is no name', headers: [['X-Proxy-Group', 'system:masters']], user: undefined },
  {
    what: 'all names are empty',
    headers: [
      ['X-First-User', ''],
      ['X-Second-User', ''],
    ],
    user: undefined,
  },
];
for (const protocol of protocols)
  for (const { what, headers, user } of readings)
    test(`${protocol}: a request of a proxy where ${what}`, async () => {
      const heard = await askOnce(target, protocol, {
        client: proxy,
        headers: [...headers, ['X-Other', 'x']],
      });
      if (user === undefined) {
        assertRefused(heard);
        return;
      }
      assert.deepEqual(heard.seen?.user, user);
      assertProxyHeadersRemoved(heard);
    });

test('the user of a proxy is used instead of a bad token, but two Authorization headers are 401', async () => {
  const bad = ['Authorization', 'Bearer nonsense'] as const;
  const beside = await askOnce(target, 'http/1.1', { client: proxy, headers: [...proxyHeaders, bad] });
  assert.equal(beside.seen?.user.username, 'root');
  assertRefused(await askOnce(target, 'http/1.1', { client: proxy, headers: [...proxyHeaders, bad, bad] }));
  assertRefused(await askOnce(target, 'http/1.1', { client: undefined, headers: [...proxyHeaders, bad] }));
});

test('the user of a proxy can impersonate, and is the impersonating user', async () => {
  for (const protocol of protocols) {
    const heard = await askOnce(target, protocol, {
      client: proxy,
      headers: [...proxyHeaders, ['Impersonate-User', 'bob'], ['Impersonate-Extra-A', 'b'], ['X-Other', 'x']],
    });
    assert.equal(heard.seen?.user.username, 'bob');
    assert.equal(heard.seen?.impersonator?.username, 'root');
    assertProxyHeadersRemoved(heard);
  }
});

test('a certificate that expires during a connection is no longer trusted', async () => {
  const { now } = target.state;
  for (const name of ['a certificate of the client authority', 'the second allowed name'] as const) {
    using connection = await openHttp1(target, clients[name]);
    const first = await connection.ask(proxyHeaders);
    const expiresAt = first.seen?.expiresAt ?? 0;
    assert.ok(expiresAt > now + soonMs, 'a watch ends with the certificate');
    target.state.now = expiresAt - 1;
    assert.equal((await connection.ask(proxyHeaders)).code, 200);
    target.state.now = expiresAt;
    assertRefused(await connection.ask(proxyHeaders));
    target.state.now = now;
  }
});

test('the headers of a proxy are removed among hundreds of others', async () => {
  const many = Array.from({ length: 400 }, (_, index) => [`A-${index}`, ''] as const);
  const heard = await askOnce(target, 'http/1.1', {
    client: undefined,
    headers: [...many, ...proxyHeaders, ['X-Other', 'x'], ...many, ...proxyHeaders],
  });
  assert.equal(heard.code, 200, heard.text);
  assertProxyHeadersRemoved(heard);
});

test('the user of a proxy is read from WebSocket requests too', async () => {
  const upgrade = [
    ['Connection', 'Upgrade'],
    ['Upgrade', 'websocket'],
    ['Sec-WebSocket-Version', '13'],
    ['Sec-WebSocket-Key', randomBytes(16).toString('base64')],
    ['X-Other', 'x'],
  ] as const;
  const believed = await askOnce(target, 'http/1.1', {
    client: proxy,
    headers: [...proxyHeaders, ...upgrade],
  });
  assert.equal(believed.seen?.user.username, 'root');
  assertProxyHeadersRemoved(believed);
  const spoofed = await askOnce(target, 'http/1.1', {
    client: undefined,
    headers: [...proxyHeaders, ...upgrade],
  });
  assert.equal(spoofed.seen?.user.username, 'system:anonymous');
  assertProxyHeadersRemoved(spoofed);
});

test('a client certificate is verified over intermediates for each authority separately', async () => {
  const [ofProxies] = await issueIntermediates([proxyCa], 'between-proxies', 2);
  const [ofClients] = await issueIntermediates([clientCa], 'between-clients', 2);
  assert.ok(ofProxies && ofClients);
  const front = await createClient(ofProxies, 'front');
  const ann = await createClient(ofClients, 'front', { organizations: ['ops'] });
  for (const protocol of protocols) {
    const ask = (client: IssuedCertificate) => askOnce(target, protocol, { client, headers: proxyHeaders });
    assertUser(await ask(showing(front, ofProxies)), ['root', namedGroups]);
    assertUser(await ask(showing(ann, ofClients)), ['front', ['ops', 'system:authenticated']]);
    assertUser(await ask(showing(ann, ofClients, ofProxies, proxyCa)), [
      'front',
      ['ops', 'system:authenticated'],
    ]);
    // Known by now, but without what it was known with.
    assertRefused(await ask(front));
    assertRefused(await ask(showing(front, ofClients)));
  }
});

test('a certificate of both authorities authenticates a proxy if it has headers, otherwise a user', async () => {
  const [byProxies, byClients] = await issueIntermediates([proxyCa, clientCa], 'between-both', 2);
  assert.ok(byProxies && byClients);
  const client = showing(await createClient(byProxies, 'front'), byProxies, byClients);
  const ask = (headers: typeof proxyHeaders | []) => askOnce(target, 'http/1.1', { client, headers });
  assertUser(await ask(proxyHeaders), ['root', namedGroups]);
  assertUser(await ask([]), ['front', ['system:authenticated']]);
});

test('without a proxy authority the proxy headers are removed and ignored', async () => {
  using plain = await startAuthenticatingTarget({ ...own, ...trusting({ clients: [clientCa, proxyCa] }) });
  for (const protocol of protocols) {
    const heard = await askOnce(plain, protocol, {
      client: proxy,
      headers: [...proxyHeaders, ['X-Other', 'x']],
    });
    assertUser(heard, ['front', ['system:authenticated']]);
    assertProxyHeadersRemoved(heard);
  }
});

test('with a proxy authority only, client certificates authenticate no users', async () => {
  using plain = await startAuthenticatingTarget({ ...own, ...trusting({ proxies: [proxyCa] }) });
  for (const protocol of protocols) {
    assertUser(await askOnce(plain, protocol, { client: proxy, headers: proxyHeaders }), [
      'root',
      namedGroups,
    ]);
    assertRefused(await askOnce(plain, protocol, { client: proxy, headers: [] }));
    const client = clients['a certificate of the client authority'];
    assertRefused(await askOnce(plain, protocol, { client, headers: proxyHeaders }));
  }
});
