import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { groupTable, variableTable } from '@binnacle/api-names/table';
import type { ExecPlugin } from '../configuration/exec-plugin.ts';
import { createCredentialSource } from './create-credential-source.ts';
import { CredentialError } from './credential-error.ts';
import { runExecPlugin } from './run-exec-plugin.ts';

const folder = mkdtempSync(join(tmpdir(), 'binnacle-exec-'));
after(() => rmSync(folder, { recursive: true }));

const apiVersion = 'client.authentication.cluster.io/v1';
/** The API version in the other vocabulary. */
const otherVersion = `${groupTable.clientAuthentication.find(group => !apiVersion.startsWith(group))}/v1`;
let scripts = 0;

/** Creates a plugin from a shell script. */
function createPlugin(script: string, more: Partial<ExecPlugin> = {}): ExecPlugin {
  const command = join(folder, `plugin-${scripts++}`);
  writeFileSync(command, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return {
    command,
    args: [],
    env: {},
    apiVersion,
    interactiveMode: 'Never',
    installHint: undefined,
    cluster: undefined,
    where: 'config: user "u": exec',
    ...more,
  };
}

function run(plugin: ExecPlugin, more: Partial<Parameters<typeof runExecPlugin>[1]> = {}) {
  const signal = new AbortController().signal;
  const options = { signal, timeoutMs: 60_000, isInteractive: false, showsMessages: false, ...more };
  return runExecPlugin(plugin, options);
}

const credential = (status: unknown, more: object = {}) =>
  JSON.stringify({ apiVersion, kind: 'ExecCredential', status, ...more });
/** Returns a script that prints the text. */
const print = (text: string) => `cat <<'END'\n${text}\nEND`;

test('a token and its expiry are read', async () => {
  const text = credential({ token: 't', expirationTimestamp: '2030-01-02T03:04:05+01:00' });
  assert.deepEqual(await run(createPlugin(print(text))), {
    credentials: { authorization: 'Bearer t' },
    expiresAt: Date.UTC(2030, 0, 2, 2, 4, 5),
  });
});

test('an ExecCredential may be YAML, and is used until it is refused if it has no expiry', async () => {
  const text = `apiVersion: ${apiVersion}\nkind: ExecCredential\nstatus:\n  token: t`;
  const { expiresAt, credentials } = await run(createPlugin(print(text)));
  assert.deepEqual([expiresAt, credentials.authorization], [Number.POSITIVE_INFINITY, 'Bearer t']);
});

const seen = (file: string) => readFileSync(join(folder, file), 'utf8');
const cluster = { server: 'https://h', config: { a: 1 } };
const infos: readonly [what: string, plugin: Partial<ExecPlugin>, spec: object][] = [
  ['no cluster information', {}, { interactive: false }],
  ['cluster information', { cluster }, { cluster, interactive: false }],
];

for (const [index, group] of groupTable.clientAuthentication.entries())
  for (const [what, more, spec] of infos)
    test(`a plugin of ${group} gets ${what} in the variable of that name, with its arguments and variables`, async () => {
      const version = `${group}/v1`;
      const [own, other] = [variableTable.execInfo[index], variableTable.execInfo[1 - index]];
      const script = `printf '%s' "$${own}" > ${folder}/own
printf '%s' "$${other}" > ${folder}/other
printf '%s' "$X $*" > ${folder}/rest
${print(credential({ token: 't' }, { apiVersion: version }))}`;
      await run(createPlugin(script, { args: ['a b', '$c'], env: { X: 'y' }, apiVersion: version, ...more }));
      assert.deepEqual(JSON.parse(seen('own')), { apiVersion: version, kind: 'ExecCredential', spec });
      assert.equal(seen('other'), '');
      assert.equal(seen('rest'), 'y a b $c');
    });

const failures: readonly [what: string, script: string, message: RegExp][] = [
  ['that fails', 'echo s3cr3t; echo s3cr3t >&2; exit 3', /ended with exit code 3$/],
  ['that is killed', 'kill -9 $$', /ended by SIGKILL$/],
  ['that prints text', 'echo "s3cr3t: ["', /the output is neither JSON nor YAML$/],
  ['that prints nothing', '', /the output is not an ExecCredential$/],
  ['that prints another kind', print('{"kind":"Secret"}'), /the output is not an ExecCredential$/],
  [
    'of another version',
    print(credential({ token: 's3cr3t' }, { apiVersion: `${apiVersion}beta1` })),
    /the ExecCredential is not of version client.authentication.cluster.io\/v1$/,
  ],
  [
    'that answers in the names of the other vocabulary',
    print(credential({ token: 's3cr3t' }, { apiVersion: otherVersion })),
    /not of version client.authentication.cluster.io\/v1$/,
  ],
  ['without a status', print(credential(undefined)), /has no status$/],
  ['without credentials', print(credential({})), /has neither a token nor a certificate$/],
  ['with two lines as token', print(credential({ token: 's3cr3t\ns3cr3t' })), /has invalid characters$/],
  ['with a number as token', print(credential({ token: 1 })), /status.token is not a string$/],
  [
    'with a key alone',
    print(credential({ clientKeyData: 's3cr3t' })),
    /status.clientCertificateData and status.clientKeyData must be given together$/,
  ],
  [
    'with a certificate that is none',
    print(credential({ clientKeyData: 's3cr3t', clientCertificateData: 's3cr3t' })),
    /are not a pair in PEM$/,
  ],
  [
    'with a time of another form',
    print(credential({ token: 's3cr3t', expirationTimestamp: 'tomorrow' })),
    /status.expirationTimestamp is not an RFC 3339 time$/,
  ],
  [
    'that prints without end',
    'while :; do echo s3cr3ts3cr3ts3cr3ts3cr3ts3cr3ts3cr3ts3cr3ts3cr3t; done',
    /the output is larger than 1048576 bytes$/,
  ],
];

for (const [what, script, message] of failures)
  test(`a plugin ${what} gives an error that names it and shows no secret`, async () => {
    const plugin = createPlugin(script);
    await assert.rejects(run(plugin), (error: unknown) => {
      assert.ok(error instanceof CredentialError);
      assert.match(error.message, message);
      assert.ok(error.message.startsWith(`${plugin.where}: ${plugin.command}: `), error.message);
      assert.doesNotMatch(`${error.message}${error.cause}`, /s3cr3t/);
      return true;
    });
  });

test('a plugin that exceeds its timeout is killed, even when a child process keeps its output open', async () => {
  const child = join(folder, 'child');
  writeFileSync(child, '');
  const plugin = createPlugin(`sleep 3600 & echo $! >> ${child}; wait`);
  const started = () => readFileSync(child, 'utf8').split('\n').slice(0, -1).map(Number);
  // A slow machine may not have started the plugin before the timeout.
  for (let timeoutMs = 500; started().length === 0; timeoutMs *= 2)
    await assert.rejects(run(plugin, { timeoutMs }), new RegExp(`no credentials within ${timeoutMs} ms$`));
  for (const id of started()) process.kill(id);
});

test('a plugin is killed when its client is closed', async () => {
  const stop = new AbortController();
  const running = run(createPlugin('exec sleep 3600'), { signal: stop.signal });
  stop.abort();
  await assert.rejects(running, /the client is closed$/);
});

for (const [what, installHint, message] of [
  [
    'with the hint how to install it',
    'Get it from the store.',
    /executable not found\n\nGet it from the store\.$/,
  ],
  ['and no hint where there is none', undefined, /executable not found$/],
] as const)
  test(`a missing plugin is reported ${what}`, async () => {
    const command = join(folder, 'missing');
    await assert.rejects(run(createPlugin('', { command, installHint })), message);
  });

test('a command without a path is searched for in PATH', async () => {
  const plugin = createPlugin(print(credential({ token: 't' })));
  const env = { PATH: `${folder}:${process.env['PATH']}` };
  const command = plugin.command.slice(folder.length + 1);
  assert.equal((await run({ ...plugin, command, env })).credentials.authorization, 'Bearer t');
});

test('a file that is not executable is refused as a plugin', async () => {
  const plugin = createPlugin('');
  writeFileSync(join(folder, 'data'), '');
  await assert.rejects(run({ ...plugin, command: join(folder, 'data') }), /cannot be started \(EACCES\)$/);
});

const modes: readonly [ExecPlugin['interactiveMode'], boolean | undefined, boolean | 'refused'][] = [
  ['Never', true, false],
  ['IfAvailable', true, true],
  ['IfAvailable', false, false],
  ['IfAvailable', undefined, false],
  ['Always', true, true],
  ['Always', false, 'refused'],
  ['Always', undefined, 'refused'],
];

for (const [interactiveMode, isInteractive, expected] of modes)
  test(`interactiveMode ${interactiveMode} with a terminal: ${isInteractive ?? 'none'} gives ${expected}`, async () => {
    const script = `printf '%s' "$CLUSTER_EXEC_INFO" > ${folder}/mode\n${print(credential({ token: 't' }))}`;
    const exec = createPlugin(script, { interactiveMode });
    const terminal = isInteractive === undefined ? undefined : { isInteractive };
    const create = () => createCredentialSource({ servers: [], exec }, { terminal });
    if (expected === 'refused') {
      assert.throws(
        create,
        /config: user "u": exec: interactiveMode is Always, and standard input is not a terminal/,
      );
      return;
    }
    using source = create();
    await source.current();
    assert.deepEqual(JSON.parse(seen('mode')).spec, { interactive: expected });
  });

for (const [what, terminal, expected] of [
  ['reaches the terminal of a command-line client', '{ isInteractive: false }', 'to the user\n'],
  ['is dropped elsewhere', 'undefined', ''],
] as const)
  test(`the standard error output of a plugin ${what}`, () => {
    const exec = createPlugin(`echo to the user >&2\n${print(credential({ token: 't' }))}`);
    const module = new URL('./create-credential-source.ts', import.meta.url).href;
    const program = `import { createCredentialSource } from ${JSON.stringify(module)};
const source = createCredentialSource({ servers: [], exec: ${JSON.stringify(exec)} }, { terminal: ${terminal} });
console.log((await source.current()).authorization);`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    assert.deepEqual([stdout, stderr], ['Bearer t\n', expected]);
  });

for (const [what, fixed, authorization] of [
  ['token', { token: 'fixed' }, 'Bearer fixed'],
  [
    'password',
    { basic: { username: 'me', password: 'p:ü' } },
    `Basic ${Buffer.from('me:p:ü').toString('base64')}`,
  ],
] as const)
  test(`a plugin does not run if the configuration has a ${what}`, async () => {
    using source = createCredentialSource({ servers: [], exec: createPlugin('exit 1'), ...fixed });
    assert.deepEqual(await source.current(), { authorization });
    assert.equal(await source.renew(await source.current()), false);
  });
