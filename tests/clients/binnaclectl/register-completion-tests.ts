import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { executableOnPath } from '@binnacle/backends';
import { type Binnaclectl, program } from './start-binnaclectl.ts';

const run = promisify(execFile);
const shellTimeoutMs = 300_000;
/** CI has every shell: there a missing one fails its test. */
const skipWithout = (shell: string) =>
  executableOnPath(shell) === undefined && process.env['CI'] === undefined
    ? `${shell} is not installed`
    : false;

/** Registers the tests of the completion of command lines, by the program and by a shell. */
export function registerCompletionTests(binnaclectl: Binnaclectl): void {
  const { succeed } = binnaclectl;

  test('completion prints scripts for known shells, and refuses other shells by name', async () => {
    for (const shell of ['bash', 'zsh', 'fish'])
      assert.match(await succeed(['completion', shell]), /\b__complete/);
    const failures: [args: string[], err: string][] = [
      [[], 'error: Shell not specified.'],
      [['powershell'], 'error: Unsupported shell type "powershell", supported are: bash, zsh, fish'],
      [['bash', 'zsh'], 'error: Too many arguments. Expected only the shell type.'],
    ];
    for (const [args, err] of failures) {
      const ended = await binnaclectl.run(['completion', ...args]);
      assert.deepEqual([ended.code, ended.out, ended.err.split('\n')[0]], [1, '', err]);
    }
  });

  test('the program completes types, names, namespaces and contexts', async () => {
    const types = await succeed(['__complete', 'get', 'deploy']);
    assert.equal(types, 'deployments.apps\tDeployment\n:4\n');
    assert.equal(await succeed(['__complete', 'get', '-n', 'tour', 'cm', 'set']), 'settings\n:4\n');
    assert.equal(await succeed(['__complete', 'get', '-n', 'tour', 'deploy/sh']), 'deploy/shop\n:4\n');
    assert.match(await succeed(['__complete', 'get', '-n', 'tou']), /^tour\n:4\n$/);
    const context = await succeed(['config', 'current-context']);
    assert.equal(await succeed(['__completeNoDesc', '--context', '']), `${context}:4\n`);
    assert.equal(await succeed(['__complete', 'apply', '-f', '']), ':0\n');
  });

  test('without a server that answers, completion gives no names and no errors', async () => {
    const silent = createServer(() => {});
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    try {
      const address = silent.address();
      assert.ok(typeof address === 'object' && address !== null);
      for (const url of ['https://127.0.0.1:1', `https://127.0.0.1:${address.port}`])
        assert.deepEqual(await binnaclectl.run(['__complete', '-s', url, 'get', '']), {
          code: 0,
          out: ':4\n',
          err: '',
        });
    } finally {
      silent.close();
    }
    assert.equal(await succeed(['__complete', '--kubeconfig', '/none', '--context', '']), ':4\n');
    assert.equal(await succeed(['__complete', '--nonsense', 'get', '']), ':4\n');
  });

  const runShell = (shell: string, args: readonly string[]) =>
    run(shell, args, {
      cwd: binnaclectl.folder,
      env: {
        PATH: `${dirname(program)}:${process.env['PATH']}`,
        HOME: binnaclectl.folder,
        KUBECONFIG: binnaclectl.server.adminConfiguration,
        TERM: 'dumb',
      },
      timeout: shellTimeoutMs,
    });

  /** The replies that bash has for a line: it splits it at spaces, `=` and `:`, as the words here are. */
  async function completeInBash(line: string, words: readonly string[]): Promise<string[]> {
    const script = `
      source <(binnaclectl completion bash)
      COMP_LINE=$1 COMP_POINT=\${#1}; shift
      COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
      _binnaclectl
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = await runShell('bash', ['--norc', '-c', script, 'bash', line, ...words]);
    assert.equal(stderr, '');
    return stdout.split('\n').filter(reply => reply !== '');
  }

  test('bash completes a command line with the program', async () => {
    const cases: [line: string, words: string[], replies: string[]][] = [
      ['binnaclectl ge', ['binnaclectl', 'ge'], ['get']],
      ['binnaclectl get deploy -n tour sh', ['binnaclectl', 'get', 'deploy', '-n', 'tour', 'sh'], ['shop']],
      ['binnaclectl version -o ', ['binnaclectl', 'version', '-o', ''], ['json', 'yaml']],
      ['binnaclectl get cm -o=na', ['binnaclectl', 'get', 'cm', '-o', '=', 'na'], ['name']],
      [
        'binnaclectl get cm --output=json',
        ['binnaclectl', 'get', 'cm', '--output', '=', 'json'],
        ['json', 'jsonpath', 'jsonpath-as-json', 'jsonpath-file'],
      ],
      [
        'binnaclectl get clusterroles system:node-p',
        ['binnaclectl', 'get', 'clusterroles', 'system', ':', 'node-p'],
        ['node-problem-detector', 'node-proxier'],
      ],
    ];
    for (const [line, words, replies] of cases)
      assert.deepEqual(await completeInBash(line, words), replies, line);
  });

  /** Lines, the candidates that zsh adds for the word, or its part, under the cursor, and the whole words that fish shows. */
  const lines: readonly (readonly [line: string, zsh: readonly string[], fish?: readonly string[]])[] = [
    ['binnaclectl ge', ['get']],
    ['binnaclectl get deploy -n tour sh', ['shop']],
    ['binnaclectl version -o ', ['json', 'yaml']],
    ['binnaclectl get cm -o=na', ['name'], ['-o=name']],
    ['binnaclectl get clusterroles system:node-p', ['system:node-problem-detector', 'system:node-proxier']],
    ['binnaclectl apply -f complet', ['completed.yaml']],
    ['binnaclectl apply --filename=complet', ['completed.yaml'], ['--filename=completed.yaml']],
  ];

  test('zsh completes lines by the program', { skip: skipWithout('zsh') }, async () => {
    await writeFile(join(binnaclectl.folder, 'completed.yaml'), '');
    const driver = join(import.meta.dirname, 'complete.zsh');
    const { stdout } = await runShell('zsh', ['-f', driver, ...lines.map(([line]) => line)]);
    const shown = stdout.split(/END<.*>/).slice(0, lines.length);
    const candidates = shown.map(text => [...text.matchAll(/HIT<(.*?)>/g)].map(([, hit]) => hit));
    assert.deepEqual(
      candidates.map(hits => [...new Set(hits)].toSorted()),
      lines.map(([, zsh]) => zsh),
    );
  });

  test('fish completes lines by the program', { skip: skipWithout('fish') }, async () => {
    await writeFile(join(binnaclectl.folder, 'completed.yaml'), '');
    const script = 'binnaclectl completion fish | source; complete -C $argv[1]';
    for (const [line, zsh, fish = zsh] of lines) {
      const { stdout } = await runShell('fish', ['--no-config', '-c', script, line]);
      const words = stdout.split('\n').map(reply => reply.split('\t')[0]);
      assert.deepEqual(
        words.filter(word => word !== ''),
        fish,
        line,
      );
    }
  });
}
