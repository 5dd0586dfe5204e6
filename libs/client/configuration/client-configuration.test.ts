import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { groupTable } from '@binnacle/api-names/table';
import { type LoadClientConfigurationOptions, loadClientConfiguration } from './client-configuration.ts';
import { clientConfigurationPaths } from './configuration-paths.ts';
import { writeClientConfiguration } from './write-client-configuration.ts';

const folder = mkdtempSync(join(tmpdir(), 'binnacle-client-'));
after(() => rmSync(folder, { recursive: true }));

const base64 = (text: string) => Buffer.from(text).toString('base64');
const inFolder = (name: string) => join(folder, name);

/** Writes a file with one context, cluster and user, each given as a line of YAML. */
function write(name: string, cluster: string, user: string, context = '{cluster: k, user: u}'): string {
  const path = inFolder(name);
  writeFileSync(
    path,
    `apiVersion: v1
kind: Config
current-context: c
contexts: [{name: c, context: ${context}}]
clusters: [{name: k, cluster: ${cluster}}]
users: [{name: u, user: ${user}}]
`,
  );
  return path;
}

const https = '{server: "https://h"}';

test('a configuration is read as it was written, and only its owner can read the file', async () => {
  const path = inFolder('admin.conf');
  const written = {
    servers: ['https://127.0.0.1:6443'],
    certificateAuthority: Buffer.from('ca'),
    clientCertificate: Buffer.from('certificate'),
    clientKey: Buffer.from('key'),
  };
  await writeClientConfiguration(path, written, { cluster: 'binnacle', user: 'admin' });
  assert.deepEqual(loadClientConfiguration(path), written);
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test('files are found relative to the configuration, and tokens are trimmed', () => {
  writeFileSync(inFolder('ca.crt'), 'authority');
  writeFileSync(inFolder('token'), 'secret\n');
  const cluster = '{server: "https://h", certificate-authority: ca.crt}';
  const read = loadClientConfiguration(write('files.conf', cluster, '{tokenFile: token}'));
  assert.equal(read.certificateAuthority?.toString(), 'authority');
  assert.equal(read.token, 'secret');
  assert.equal(read.tokenFile, inFolder('token'));
});

test('inline data is used instead of files, which then need not exist', () => {
  const cluster = `{server: "https://h", certificate-authority: none, certificate-authority-data: ${base64('ca')}}`;
  const user = `{client-certificate: none, client-certificate-data: ${base64('c')}, client-key: none, client-key-data: ${base64('k')}}`;
  const read = loadClientConfiguration(write('data.conf', cluster, user));
  const { certificateAuthority, clientCertificate, clientKey } = read;
  assert.deepEqual([certificateAuthority, clientCertificate, clientKey].map(String), ['ca', 'c', 'k']);
});

test('an inline token is used instead of a token file', () => {
  const read = loadClientConfiguration(write('both.conf', https, '{token: inline, tokenFile: none}'));
  assert.deepEqual([read.token, read.tokenFile], ['inline', undefined]);
});

test('basic credentials, the server name and a namespace are read', () => {
  const cluster = '{server: "https://h/base", tls-server-name: name}';
  const context = '{cluster: k, user: u, namespace: there}';
  const user = '{username: me, password: "p:w"}';
  assert.deepEqual(loadClientConfiguration(write('basic.conf', cluster, user, context)), {
    servers: ['https://h/base'],
    tlsServerName: 'name',
    basic: { username: 'me', password: 'p:w' },
    namespace: 'there',
  });
});

test('a context without a user gives no credentials', () => {
  const read = loadClientConfiguration(write('anonymous.conf', https, '{token: t}', '{cluster: k}'));
  assert.deepEqual(read, { servers: ['https://h'] });
});

test('of several files, the first with an entry of a name defines it, relative to its own folder', () => {
  mkdirSync(inFolder('other'));
  writeFileSync(inFolder('other/token'), 'of-other');
  const [first, second] = [inFolder('first.conf'), inFolder('other/second.conf')];
  writeFileSync(first, 'clusters: [{name: k, cluster: {server: "https://first"}}]\nusers: []\n');
  writeFileSync(
    second,
    `current-context: a
contexts: [{name: a, context: {cluster: k, user: u}}, {name: b, context: {cluster: l, user: u}}]
clusters: [{name: k, cluster: {server: "https://second"}}, {name: l, cluster: {server: "https://l"}}]
users: [{name: u, user: {tokenFile: token}}]
`,
  );
  const paths = [inFolder('missing.conf'), first, second, first];
  const { servers, token } = loadClientConfiguration(paths);
  assert.deepEqual([servers, token], [['https://first'], 'of-other']);
  assert.deepEqual(loadClientConfiguration(paths, { context: 'b' }).servers, ['https://l']);
});

test('of several files, the first with a current context defines it', () => {
  const first = write('current-first.conf', '{server: "https://one"}', '{}');
  const second = inFolder('current-second.conf');
  writeFileSync(second, 'current-context: other\n');
  assert.deepEqual(loadClientConfiguration([first, second]).servers, ['https://one']);
  assert.throws(() => loadClientConfiguration([second, first]), /contexts has no entry "other"/);
});

test('TLS verification can be switched off only where the program allows it', () => {
  const path = write('insecure.conf', '{server: "https://h", insecure-skip-tls-verify: true}', '{}');
  assert.equal(loadClientConfiguration(path, { allowInsecureTls: true }).insecureSkipTlsVerify, true);
  assert.throws(
    () => loadClientConfiguration(path),
    /cluster "k": insecure-skip-tls-verify is not supported/,
  );
});

const replaced: readonly [what: string, options: LoadClientConfigurationOptions, expected: object][] = [
  [
    'no option',
    {},
    { servers: ['https://h'], tlsServerName: 'name', basic: { username: 'me', password: 'p' } },
  ],
  [
    'empty texts',
    { context: '', cluster: '', user: '', server: '', tlsServerName: '', token: '' },
    { servers: ['https://h'], tlsServerName: 'name', basic: { username: 'me', password: 'p' } },
  ],
  ['a token', { token: 't' }, { servers: ['https://h'], tlsServerName: 'name', token: 't' }],
  ['another user', { user: 'v' }, { servers: ['https://h'], tlsServerName: 'name', token: 'of-v' }],
  ['another server', { server: 'https://g', user: 'v' }, { servers: ['https://g'], token: 'of-v' }],
  [
    'another server with its name',
    { server: 'https://g', tlsServerName: 'g', user: 'v' },
    { servers: ['https://g'], tlsServerName: 'g', token: 'of-v' },
  ],
  ['a server of plain HTTP', { server: 'http://g', allowHttp: true }, { servers: ['http://g'] }],
  ['a scheme in capitals', { server: 'HTTP://g', allowHttp: true }, { servers: ['HTTP://g'] }],
  ['an address without a scheme', { server: 'g:80', allowHttp: true }, { servers: ['http://g:80'] }],
  ['another cluster', { cluster: 'l', user: 'v' }, { servers: ['https://l'], token: 'of-v' }],
];

for (const [what, options, expected] of replaced)
  test(`the configuration is read with ${what} on the command line`, () => {
    const path = write(
      'replaced.conf',
      '{server: "https://h", tls-server-name: name}',
      '{username: me, password: p}',
    );
    const more = inFolder('more.conf');
    writeFileSync(
      more,
      'users: [{name: v, user: {token: of-v}}]\nclusters: [{name: l, cluster: {server: "https://l"}}]\n',
    );
    assert.deepEqual(loadClientConfiguration([path, more], options), expected);
  });

test('with a default server no file or cluster has to exist, but named entries do', () => {
  const defaultServer = 'https://default';
  const options = { defaultServer, token: 't' };
  const expected = { servers: [defaultServer], token: 't' };
  writeFileSync(inFolder('empty.conf'), '');
  for (const name of ['none', 'empty.conf'])
    assert.deepEqual(loadClientConfiguration(inFolder(name), options), expected);
  assert.throws(() => loadClientConfiguration(inFolder('empty.conf')), /: no current-context$/);
  for (const named of ['context', 'cluster', 'user'])
    assert.throws(
      () => loadClientConfiguration(inFolder('none'), { ...options, [named]: 'x' }),
      new RegExp(`no client configuration: ${named}s has no entry "x"`),
    );
});

test('a credential plugin is read with its cluster information', () => {
  const cluster = `{server: "https://h", certificate-authority-data: ${base64('ca')}, extensions: [{name: other, extension: 1}, {name: client.authentication.cluster.io/exec, extension: {audience: a}}]}`;
  const user = `{exec: {apiVersion: client.authentication.cluster.io/v1, command: ./bin/login, args: [a, b],
    env: [{name: X, value: set}], installHint: get it, provideClusterInfo: true, interactiveMode: Never}}`;
  const path = write('exec.conf', cluster, user);
  assert.deepEqual(loadClientConfiguration(path).exec, {
    command: inFolder('bin/login'),
    args: ['a', 'b'],
    env: { X: 'set' },
    apiVersion: 'client.authentication.cluster.io/v1',
    interactiveMode: 'Never',
    installHint: 'get it',
    cluster: {
      server: 'https://h',
      'certificate-authority-data': base64('ca'),
      config: { audience: 'a' },
    },
    where: `${path}: user "u": exec`,
  });
});

for (const group of groupTable.clientAuthentication)
  test(`a plugin of ${group}/v1beta1 is interactive where possible, gets no cluster information, and is found through PATH`, () => {
    const user = `{exec: {apiVersion: ${group}/v1beta1, command: login}}`;
    const { exec } = loadClientConfiguration(write('beta.conf', https, user));
    assert.deepEqual(
      [exec?.command, exec?.interactiveMode, exec?.cluster, exec?.apiVersion],
      ['login', 'IfAvailable', undefined, `${group}/v1beta1`],
    );
  });

const v1 = 'apiVersion: client.authentication.cluster.io/v1';
const refused: readonly [what: string, cluster: string, user: string, message: RegExp][] = [
  ['no server', '{}', '{}', /cluster "k": no server$/],
  ['a server without TLS', '{server: "http://h"}', '{}', /cluster "k": server must be an https URL$/],
  ['a proxy', '{server: "https://h", proxy-url: "http://p"}', '{}', /proxy-url is not supported/],
  [
    'an authority that is not base64',
    '{server: "https://h", certificate-authority-data: "-----"}',
    '{}',
    /cluster "k": certificate-authority-data is not base64/,
  ],
  [
    'a missing authority',
    '{server: "https://h", certificate-authority: none}',
    '{}',
    /cluster "k": certificate-authority: cannot read .*none \(ENOENT\)/,
  ],
  ['a provider', https, '{auth-provider: {name: x}}', /user "u": auth-provider is not supported/],
  ['another user to act as', https, '{as: root}', /user "u": as is not supported/],
  ['a certificate without its key', https, '{client-certificate-data: YQ==}', /must be given together/],
  ['a number as token', https, '{token: 1234}', /user "u": token must be a string/],
  ['a missing token file', https, '{tokenFile: none}', /user "u": tokenFile: cannot read .*none/],
  ['a token of several words', https, '{token: "s3cr3t b"}', /user "u": token has invalid characters$/],
  ['an empty token file', https, '{tokenFile: refused-token}', /user "u": tokenFile: the file is empty/],
  ['token and password', https, '{token: s3cr3t, username: a}', /token and username exclude each other/],
  ['a password alone', https, '{password: s3cr3t}', /user "u": password without username/],
  ['a plugin that is no object', https, '{exec: login}', /user "u": exec must be an object/],
  [
    'a plugin without a command',
    https,
    `{exec: {${v1}, interactiveMode: Never}}`,
    /exec: command is required/,
  ],
  ['a plugin without a version', https, '{exec: {command: x}}', /exec: apiVersion is required/],
  [
    'a plugin of an old version',
    https,
    '{exec: {command: x, apiVersion: client.authentication.cluster.io/v1alpha1}}',
    /apiVersion must be one of client.authentication.cluster.io\/v1, client.authentication.cluster.io\/v1beta1$/,
  ],
  [
    'a plugin of v1 without interactiveMode',
    https,
    `{exec: {${v1}, command: x}}`,
    /exec: interactiveMode must be one of Never, IfAvailable, Always$/,
  ],
  [
    'a plugin with an unnamed variable',
    https,
    `{exec: {${v1}, command: x, interactiveMode: Never, env: [{value: s3cr3t}]}}`,
    /exec: env: name is required/,
  ],
];

for (const [what, cluster, user, message] of refused)
  test(`a configuration with ${what} is refused by file and entry`, () => {
    const path = write('refused.conf', cluster, user);
    writeFileSync(inFolder('refused-token'), '\n');
    assert.throws(
      () => loadClientConfiguration(path),
      (error: Error) => {
        assert.match(error.message, message);
        assert.ok(error.message.startsWith(`${path}: `), error.message);
        assert.doesNotMatch(error.message, /s3cr3t/);
        return true;
      },
    );
  });

for (const [what, text, message] of [
  ['text', 'just text', /: not a client configuration$/],
  ['no context', 'contexts: []', /: no current-context$/],
  ['a context that is not there', 'current-context: x', /: contexts has no entry "x"$/],
  ['a list that is none', '{current-context: x, contexts: {}}', /: contexts must be a list$/],
  [
    'a cluster that is not there',
    '{current-context: x, contexts: [{name: x, context: {cluster: k}}]}',
    /: context "x": clusters has no entry "k"$/,
  ],
  ['no cluster', '{current-context: x, contexts: [{name: x}]}', /: context "x": no cluster$/],
] as const)
  test(`a file with ${what} is refused`, () => {
    const path = inFolder('bad.conf');
    writeFileSync(path, text);
    assert.throws(() => loadClientConfiguration(path), message);
  });

test('missing files are named when there is no other file', () => {
  const paths = [inFolder('none-a'), inFolder('none-b')];
  assert.throws(() => loadClientConfiguration(paths), /none-a, .*none-b does not exist/);
});

for (const [what, value, expected] of [
  ['lists', '/a::/b', ['/a', '/b']],
  ['is empty', '', ['/home/me/.kube/config']],
  ['is missing', undefined, ['/home/me/.kube/config']],
] as const)
  test(`the configuration files of a command-line client where KUBECONFIG ${what}`, () => {
    assert.deepEqual(clientConfigurationPaths({ KUBECONFIG: value }, '/home/me'), expected);
  });
