import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { durationFlag, flagGroup, integerFlag, listFlag, stringFlag } from './flag.ts';
import { readFlagFile } from './flag-files.ts';
import { FlagError, TextRequested } from './parse-flags.ts';
import { endIfValidating, parseServiceFlags } from './parse-service-flags.ts';

const folder = mkdtempSync(join(tmpdir(), 'binnacle-flags-'));
after(() => rmSync(folder, { recursive: true }));

const spec = {
  name: stringFlag({ description: 'A name.', default: 'none' }),
  historyWindow: durationFlag({ description: 'How far back.', default: 300_000 }),
  ...flagGroup('Peers', {
    port: integerFlag({ description: 'A port.', default: 1 }),
    peers: listFlag({ description: 'Who else.' }),
  }),
};
const version = 'x 1.0';

let files = 0;
function configFile(text: string): string {
  const path = join(folder, `${++files}.yaml`);
  writeFileSync(path, text);
  return path;
}

test('arguments win over the environment, which wins over the file, which wins over defaults', () => {
  const config = configFile('name: file\nhistory-window: 1m\npeers: [a, "b"]\nport: 6443 # a comment\n');
  const argv = ['--config', config, '--name=argument'];
  const env = { BINNACLE_HISTORY_WINDOW: '2m' };
  assert.deepEqual(parseServiceFlags(spec, { argv, env, version }), {
    name: 'argument',
    historyWindow: 120_000,
    port: 6443,
    peers: ['a', 'b'],
    validateConfig: false,
  });
  const fromEnvironment = parseServiceFlags(spec, { argv: [], env: { BINNACLE_CONFIG: config }, version });
  assert.equal(fromEnvironment.name, 'file');
});

test('an empty file sets nothing', () => {
  for (const text of ['', '# nothing\n', '---\n', '{}'])
    assert.equal(
      parseServiceFlags(spec, { argv: [`--config=${configFile(text)}`], env: {}, version }).port,
      1,
    );
});

const refused: [string, RegExp][] = [
  ['histroy-window: 5m', /: unknown key histroy-window \(did you mean history-window\?\); see --help$/],
  ['config: other.yaml', /: unknown key config; see --help$/],
  ['history-window: 5', /: history-window must be a duration/],
  ['port: many', /: port must be a whole number$/],
  ['port: [1, 2]', /: port accepts one value, not a list$/],
  ['port: {a: b}', /: port must be a string or a list of strings$/],
  ['peers: [[a]]', /: peers must be a string or a list of strings$/],
  ['name: a\nname: b', /: line 2: Map keys must be unique$/],
  ['- name', /: must be a mapping of flag names to values$/],
  ['name', /: must be a mapping of flag names to values$/],
  ['port: 1\nname: "', /: line 2: Missing closing "quote/],
];
for (const [text, message] of refused) {
  test(`a file with ${JSON.stringify(text)} is refused`, () => {
    const path = configFile(text);
    assert.throws(
      () => parseServiceFlags(spec, { argv: ['--config', path], env: {}, version }),
      error => {
        assert.ok(error instanceof FlagError && error.message.startsWith(`--config ${path}: `));
        assert.match(error.message, message);
        return true;
      },
    );
  });
}

test('a file that cannot be read or is too large is refused by name', () => {
  const large = configFile(`# ${'x'.repeat(1024 * 1024)}`);
  for (const [path, message] of [
    [join(folder, 'none.yaml'), /none\.yaml: cannot be read: ENOENT/],
    [folder, /: cannot be read: EISDIR/],
    [large, /: has 1048578 bytes, more than 1048576$/],
  ] as const)
    assert.throws(() => parseServiceFlags(spec, { argv: ['--config', path], env: {}, version }), {
      name: 'FlagError',
      message,
    });
});

test('an error about a file that a flag names has the name of the flag and the file once', async () => {
  const refuse = (reason: string) => () => Promise.reject(new Error(reason));
  await assert.rejects(readFlagFile('tokenAuthFile', '/t.csv', refuse('line 2: no user')), {
    name: 'FlagError',
    message: '--token-auth-file /t.csv: line 2: no user',
  });
  await assert.rejects(readFlagFile('tokenAuthFile', '/t.csv', refuse("ENOENT: open '/t.csv'")), {
    message: "--token-auth-file: ENOENT: open '/t.csv'",
  });
  assert.equal(await readFlagFile('tokenAuthFile', '/t.csv', file => file), '/t.csv');
});

test('--version prints the version, whatever other arguments there are, and BINNACLE_VERSION does not', () => {
  const asked = { name: 'TextRequested', message: version };
  assert.throws(() => parseServiceFlags(spec, { argv: ['--version', '--port=x'], env: {}, version }), asked);
  parseServiceFlags(spec, {
    argv: [],
    env: { BINNACLE_VERSION: '1.2.3', BINNACLE_VALIDATE_CONFIG: 'true' },
    version,
  });
});

test('--help prints flags by group', () => {
  assert.throws(
    () => parseServiceFlags(spec, { argv: ['--help'], env: {}, version }),
    error => {
      assert.ok(error instanceof TextRequested);
      assert.deepEqual(error.message.match(/^\S.*:$/gm), ['Flags:', 'Peers:', 'Configuration:']);
      return true;
    },
  );
});

test('--validate-config ends a service once it has read its configuration', () => {
  endIfValidating(parseServiceFlags(spec, { argv: [], env: {}, version }));
  const flags = parseServiceFlags(spec, { argv: ['--validate-config'], env: {}, version });
  assert.throws(() => endIfValidating(flags), {
    name: 'TextRequested',
    message: 'the configuration is valid',
  });
});
