import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { bundledProgram, bundledPrograms, currentBundles, digestSources } from './service-bundles.ts';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

test('bundles of unchanged sources are built once', async () => {
  const bundles = await currentBundles();
  const times = () => bundledPrograms.map(program => statSync(bundledProgram(bundles, program)).mtimeMs);
  const madeAt = times();
  const module = JSON.stringify(join(import.meta.dirname, 'service-bundles.ts'));
  const program = `console.log(await (await import(${module})).currentBundles())`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
  assert.equal(stdout.trim(), bundles);
  assert.deepEqual(times(), madeAt);
});

test('a changed source, lock file or data file needs new bundles, a changed test does not', () => {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-bundles-'));
  try {
    mkdirSync(join(directory, 'libs/rpc'), { recursive: true });
    const digests = new Set<string>();
    const write = (file: string, content: string) => {
      writeFileSync(join(directory, file), content);
      digests.add(digestSources(directory));
    };
    write('package-lock.json', '{}');
    write('libs/rpc/index.ts', 'export const a = 1;');
    write('libs/rpc/index.ts', 'export const a = 2;');
    write('libs/rpc/second.ts', 'export const a = 2;');
    write('libs/rpc/rpc.json', '{}');
    write('package-lock.json', '{"version":2}');
    assert.equal(digests.size, 6);
    write('libs/rpc/index.test.ts', 'throw new Error();');
    assert.equal(digests.size, 6);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('a bundle prints the same help and version as its sources', async () => {
  const programs = [
    bundledProgram(await currentBundles(), 'webhook-dispatch'),
    join(root, 'services/webhook-dispatch/main.ts'),
  ];
  for (const flag of ['--help', '--version']) {
    const [bundled, plain] = await Promise.all(
      programs.map(program => run(process.execPath, [program, flag])),
    );
    assert.ok(plain?.stdout);
    assert.equal(bundled?.stdout, plain.stdout);
  }
});

test('bundles contain readable code of this repository, and no npm packages', async () => {
  const bundles = await currentBundles();
  const parts = readdirSync(bundles).filter(name => name.endsWith('.mjs'));
  const code = parts.map(name => readFileSync(join(bundles, name), 'utf8')).join('\n');
  // The bundler names each file above its code.
  assert.doesNotMatch(code, /^\/\/ .*node_modules\//m);
  assert.match(code, /^\/\/ services\/gateway\/create-gateway\.ts$/m);
  assert.match(code, /^async function createGateway\(/m);
  assert.match(code, /^import .* from "express";$/m);
});
