import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { executableOnPath } from '@binnacle/backends';
import { parse } from 'yaml';
import { repositoryDirectory } from '../source-scan/source-files.ts';
import { documentFiles, readCommandBlocks } from './test-drivers/command-blocks.ts';

const blocks = documentFiles().flatMap(file => readCommandBlocks(file));

/** The reasons for which blocks are not run, and how many have each: one more is a decision. */
const notRun: Readonly<Record<string, number>> = {
  'a test of its own restores into an etcd': 1,
  etcdctl: 1,
  'it installs into the machine': 1,
  'it runs every test': 1,
  'programs of Kafka': 1,
  'programs of Kubernetes': 3,
  'there is no Docker': 8,
  'there is no cluster': 5,
};

describe('the commands of the documents', () => {
  it('are run by a test, or have the reason why not', () => {
    const counts: Record<string, number> = {};
    for (const { reason } of blocks) if (reason !== undefined) counts[reason] = (counts[reason] ?? 0) + 1;
    assert.deepEqual(counts, notRun);
  });

  it('have the syntax of a shell', () => {
    for (const { file, line, commands } of blocks) {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: commands, encoding: 'utf8' });
      assert.deepEqual([status, stderr], [0, ''], `${file}:${line}`);
    }
  });

  it('name files of the repository that exist', () => {
    const missing = blocks.flatMap(({ file, line, commands }) =>
      [...commands.matchAll(/(?<![\w./-])(?:bench|bin|deploy|docs|services|tests|tools)\/[\w./-]+/g)]
        .map(([path]) => path)
        .filter(path => !existsSync(join(repositoryDirectory, path)))
        .map(path => `${file}:${line}: ${path}`),
    );
    assert.deepEqual(missing, []);
  });

  it('name targets of the Makefile, and services and profiles of the composition', () => {
    const read = (file: string) => readFileSync(join(repositoryDirectory, file), 'utf8');
    const targets = new Set([...read('Makefile').matchAll(/^([a-z-]+):/gm)].map(([, target]) => target));
    const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
      services: Record<string, { profiles: readonly string[] }>;
    };
    const profiles = new Set(Object.values(services).flatMap(service => service.profiles));
    let compositions = 0;
    for (const { file, line, commands } of blocks) {
      const place = `${file}:${line}`;
      for (const [, target = ''] of commands.matchAll(/^make ([a-z-]+)/gm))
        assert.ok(targets.has(target), `${place}: make ${target}`);
      for (const [, rest = ''] of commands.matchAll(/\bdocker compose (.*)$/gm)) {
        compositions++;
        const named = /^(?:--profile (\S+) )?(?:[a-z]+)(.*)$/.exec(rest);
        const [, profile, words = ''] = named ?? [];
        assert.ok(profile === undefined || profiles.has(profile), `${place}: ${rest}`);
        for (const name of servicesFrom(rest, words)) assert.ok(name in services, `${place}: ${name}`);
      }
    }
    assert.ok(compositions > 3);
  });

  const noSystemd = executableOnPath('systemd-analyze') ? false : 'systemd is not installed';
  it('install a unit that systemd accepts', { skip: noSystemd }, () => {
    const unit = join(repositoryDirectory, 'deploy/systemd/binnacle.service');
    const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    // Node is not at the place of the unit on every machine.
    const complaints = `${stdout}${stderr}`
      .split('\n')
      .filter(line => !/^$|node is not executable/.test(line));
    assert.deepEqual(complaints, []);
  });
});

/** The services that a command of compose names. */
function servicesFrom(command: string, words: string): string[] {
  const names = words.split(' ').filter(word => /^[a-z]/.test(word));
  if (/\brun\b/.test(command)) return names.slice(0, 1);
  const [, copied] = / cp ([a-z-]+):/.exec(` ${command}`) ?? [];
  if (copied !== undefined) return [copied];
  return /\b(exec)\b/.test(command) ? names.slice(0, 1) : names;
}

describe('a block of commands', () => {
  const read = (text: string) => readCommandBlocks('x.md', text);

  it('has its mark behind the language', () => {
    const text =
      '```sh standalone fails\nfalse\n```\n\n1. x\n\n   ```sh not run: there is no moon\n   a\n   b\n   ```\n';
    assert.deepEqual(read(text), [
      { file: 'x.md', line: 1, setting: 'standalone', outcome: 'fails', commands: 'false\n' },
      {
        file: 'x.md',
        line: 7,
        setting: 'not run',
        outcome: 'ends',
        reason: 'there is no moon',
        commands: 'a\nb\n',
      },
    ]);
  });

  it('is refused without a mark, with an unknown one, and without a language', () => {
    for (const text of ['```sh\nls\n```\n', '```sh moon\nls\n```\n', '```sh not run:\nls\n```\n'])
      assert.throws(() => read(text), /^Error: x\.md:1: the block needs a mark/);
    assert.throws(() => read('```\nmake run\n```\n'), /commands stand in a block of sh/);
    assert.deepEqual(read('```yaml\na: 1\n```\n'), []);
  });
});
