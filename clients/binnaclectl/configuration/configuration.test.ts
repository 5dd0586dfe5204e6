import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { globalFlags } from '../arguments/global-flags.ts';
import { parseArguments } from '../arguments/parse-arguments.ts';
import { configurationFrom } from './configuration-from.ts';
import { readKubeconfig } from './kubeconfig.ts';
import { withoutSecrets } from './without-secrets.ts';
import { writeCurrentContext } from './write-current-context.ts';

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
- {name: two, cluster: {server: https://two.example, certificate-authority: ca.crt, tls-server-name: api, insecure-skip-tls-verify: true}}
users:
- {name: bert, user: {tokenFile: token, client-key-data: a2V5}}
contexts:
- {name: b, context: {cluster: two, user: bert}}
`,
);

const env = { KUBECONFIG: `${first}:${join(folder, 'absent')}:${second}` };

function chosen(line: string) {
  const { flags } = parseArguments(globalFlags, line === '' ? [] : line.split(' '));
  return configurationFrom(flags, env);
}

const cases: [line: string, expected: object][] = [
  [
    '',
    {
      configuration: {
        servers: ['https://two.example'],
        certificateAuthority: Buffer.from('authority'),
        tlsServerName: 'api',
        clientKey: Buffer.from('key'),
        token: 'from-file',
      },
      namespace: 'default',
      verifiesServer: false,
    },
  ],
  [
    '--context a',
    {
      configuration: { servers: ['https://one.example'], token: 'annas' },
      namespace: 'shop',
      verifiesServer: true,
    },
  ],
  [
    '--context a --user bert --token given -s one.example:80 --insecure-skip-tls-verify',
    {
      configuration: { servers: ['http://one.example:80'], clientKey: Buffer.from('key'), token: 'given' },
      namespace: 'shop',
      verifiesServer: false,
    },
  ],
  [
    '--context a --user plugin --token given --tls-server-name x',
    {
      configuration: { servers: ['https://one.example'], tlsServerName: 'x', token: 'given' },
      namespace: 'shop',
      verifiesServer: true,
    },
  ],
];

for (const [line, expected] of cases) {
  test(`what is chosen with "${line}"`, () => assert.deepEqual(chosen(line), expected));
}

const refused: [line: string, message: string | RegExp][] = [
  ['--context c', 'context "c" does not exist'],
  ['--context lost', 'cluster "none" does not exist'],
  ['--user x', 'user "x" does not exist'],
  ['--context a --user plugin', 'user "plugin": exec is not supported'],
  ['--server ftp://x', '"ftp://x" is not the address of a server'],
  ['--kubeconfig /nonexistent/x', 'stat /nonexistent/x: no such file or directory'],
  ['--certificate-authority /nonexistent/ca', /^--certificate-authority: ENOENT/],
];

for (const [line, message] of refused) {
  test(`${line} is refused by name`, () => assert.throws(() => chosen(line), { message }));
}

test('a file that cannot be read is named', () => {
  const path = join(folder, 'broken.conf');
  writeFileSync(path, 'a: [');
  assert.throws(() => readKubeconfig(path, {}), { message: /^error loading config file ".*broken\.conf": / });
});

test('credentials and certificates are not shown', () => {
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

test('the current context is written into the file that has one, whose other entries and mode stay', async () => {
  const before = readFileSync(first, 'utf8');
  await writeCurrentContext(readKubeconfig(undefined, env), 'a');
  assert.equal(readKubeconfig(undefined, env).currentContext, 'a');
  assert.equal(readKubeconfig(second, {}).users[0]?.name, 'bert');
  assert.equal(readFileSync(first, 'utf8'), before);
  await writeCurrentContext(readKubeconfig(first, {}), 'a');
  assert.equal(readKubeconfig(first, {}).currentContext, 'a');
  assert.equal(statSync(first).mode & 0o777, 0o600);
});
