import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { globalFlags } from '../arguments/global-flags.ts';
import { parseArguments } from '../arguments/parse-arguments.ts';
import {
  configurationFiles,
  configurationFrom,
  withoutSecrets,
  writeCurrentContext,
} from './configuration.ts';

const folder = mkdtempSync(join(tmpdir(), 'binnaclectl-'));
after(() => rmSync(folder, { recursive: true }));

const first = join(folder, 'first.conf');
const second = join(folder, 'second', 'config');
mkdirSync(join(folder, 'second'));
writeFileSync(join(folder, 'second', 'ca.crt'), 'authority');
writeFileSync(join(folder, 'second', 'token'), 'from-file\n');
writeFileSync(
  first,
  `clusters:
- {name: one, cluster: {server: https://one.example}}
users:
- {name: anna, user: {token: annas}}
- {name: plugin, user: {exec: {command: x}}}
contexts:
- {name: a, context: {cluster: one, user: anna, namespace: shop}}
- {name: lost, context: {cluster: none}}
`,
  { mode: 0o600 },
);
writeFileSync(
  second,
  `current-context: b
clusters:
- {name: one, cluster: {server: https://hidden.example}}
- {name: two, cluster: {server: https://two.example, certificate-authority: ca.crt, tls-server-name: api}}
- {name: open, cluster: {server: https://open.example, insecure-skip-tls-verify: true}}
users:
- {name: bert, user: {tokenFile: token, client-certificate-data: Y2VydA==, client-key-data: a2V5}}
- {name: carla, user: {username: carla, password: p}}
- {name: login, user: {exec: {apiVersion: client.authentication.cluster.io/v1, command: ./login, interactiveMode: Never, provideClusterInfo: true}}}
contexts:
- {name: b, context: {cluster: two, user: bert}}
`,
);

const env = { KUBECONFIG: `${first}:${join(folder, 'absent')}:${second}` };

function chosen(line: string) {
  const { flags } = parseArguments(globalFlags, line === '' ? [] : line.split(' '));
  return configurationFrom(flags, env);
}

const certificate = { clientCertificate: Buffer.from('cert'), clientKey: Buffer.from('key') };
const fromFile = { token: 'from-file', tokenFile: join(folder, 'second', 'token') };
const two = { servers: ['https://two.example'], certificateAuthority: Buffer.from('authority') };

const cases: [line: string, expected: object][] = [
  ['', { ...two, tlsServerName: 'api', ...certificate, ...fromFile }],
  ['--context a', { servers: ['https://one.example'], token: 'annas', namespace: 'shop' }],
  [
    '--context a --user bert --token given',
    { servers: ['https://one.example'], ...certificate, token: 'given', namespace: 'shop' },
  ],
  [
    '--context a --user plugin --token given --tls-server-name x',
    { servers: ['https://one.example'], tlsServerName: 'x', token: 'given', namespace: 'shop' },
  ],
  ['--user carla --token given', { ...two, tlsServerName: 'api', token: 'given' }],
  ['--user carla', { ...two, tlsServerName: 'api', basic: { username: 'carla', password: 'p' } }],
  ['-s https://other.example', { ...two, servers: ['https://other.example'], ...certificate, ...fromFile }],
  ['--context a -s one.example:80', { servers: ['http://one.example:80'], namespace: 'shop' }],
  [
    '--insecure-skip-tls-verify --token given',
    {
      servers: two.servers,
      tlsServerName: 'api',
      insecureSkipTlsVerify: true,
      ...certificate,
      token: 'given',
    },
  ],
  [
    '--cluster open --user anna',
    { servers: ['https://open.example'], insecureSkipTlsVerify: true, token: 'annas' },
  ],
  ['--kubeconfig /dev/null', { servers: ['http://localhost:8080'] }],
  ['--kubeconfig /dev/null -s https://h --token t', { servers: ['https://h'], token: 't' }],
];

for (const [line, expected] of cases) {
  test(`the configuration chosen with "${line}"`, () => assert.deepEqual(chosen(line), expected));
}

test('without any configuration file the address is the default of kubectl', () => {
  const { flags } = parseArguments(globalFlags, []);
  const read = configurationFrom(flags, { KUBECONFIG: join(folder, 'absent') });
  assert.deepEqual(read, { servers: ['http://localhost:8080'] });
});

test('a credential plugin is given the server and the authorities of the command line', () => {
  const authority = join(folder, 'given.crt');
  writeFileSync(authority, 'given');
  const { exec } = chosen(`--user login -s https://other.example --certificate-authority ${authority}`);
  assert.equal(exec?.command, join(folder, 'second', 'login'));
  assert.deepEqual(exec?.cluster, {
    server: 'https://other.example',
    'certificate-authority-data': Buffer.from('given').toString('base64'),
  });
});

const refused: [line: string, message: string | RegExp][] = [
  ['--context c', /: contexts has no entry "c"$/],
  ['--context lost', /first\.conf: context "lost": clusters has no entry "none"$/],
  ['--user x', /: users has no entry "x"$/],
  ['--cluster x', /: clusters has no entry "x"$/],
  ['--context a --user plugin', /user "plugin": exec: apiVersion is required$/],
  ['--server ftp://x', /cluster "two": server must be an http or https URL$/],
  ['--kubeconfig /nonexistent/x', 'stat /nonexistent/x: no such file or directory'],
  [
    '--certificate-authority /nonexistent/ca',
    /certificate-authority: cannot read \/nonexistent\/ca \(ENOENT\)$/,
  ],
];

for (const [line, message] of refused) {
  test(`${line} is refused by name`, () => assert.throws(() => chosen(line), { message }));
}

test('a file that cannot be read is named', () => {
  const path = join(folder, 'broken.conf');
  writeFileSync(path, 'a: [');
  assert.throws(() => configurationFiles(path, {}), { message: /broken\.conf: / });
  const loop = join(folder, 'loop.conf');
  symlinkSync(loop, loop);
  assert.throws(() => configurationFiles(loop, {}), { code: 'ELOOP', message: /loop\.conf/ });
});

test('credentials and certificates are masked', () => {
  const secrets = {
    users: [
      {
        name: 'a',
        user: {
          token: 'secret',
          password: 'secret',
          'client-key-data': 'secret',
          username: 'u',
          exec: { command: 'c', env: [{ name: 'X', value: 'secret' }], args: ['secret'] },
          'auth-provider': { config: { 'refresh-token': 'secret' } },
        },
      },
    ],
    clusters: [{ name: 'b', cluster: { 'certificate-authority-data': 'long', server: 'https://h' } }],
  };
  const shown = JSON.stringify(withoutSecrets(secrets));
  assert.doesNotMatch(shown, /secret|long/);
  assert.match(shown, /"username":"u".*"command":"c".*DATA\+OMITTED.*https:\/\/h/);
});

test('the current context is written into the file that has one, and its other entries and mode are kept', async () => {
  const before = readFileSync(first, 'utf8');
  await writeCurrentContext(configurationFiles(undefined, env), 'a');
  assert.equal(configurationFiles(undefined, env).currentContext, 'a');
  assert.ok(configurationFiles(second, {}).names('users').includes('bert'));
  assert.equal(readFileSync(first, 'utf8'), before);
  await writeCurrentContext(configurationFiles(first, {}), 'a');
  assert.equal(configurationFiles(first, {}).currentContext, 'a');
  assert.equal(statSync(first).mode & 0o777, 0o600);
});
