import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { understood } from '@binnacle/api-names';
import { type Standalone, startStandalone } from '@binnacle/standalone/testing';
import { createTemporaryDirectory } from '../setup/temporary-directory.ts';
import { createKubectl, type Kubectl } from './kubectl.ts';

const ofEverybody = [
  ...understood.groups.authorization.flatMap(group => [
    `selfsubjectaccessreviews.${group} [] [] [create]`,
    `selfsubjectrulesreviews.${group} [] [] [create]`,
  ]),
  '[/api/*] [] [get]',
  '[/api] [] [get]',
  '[/apis/*] [] [get]',
  '[/apis] [] [get]',
  '[/healthz] [] [get]',
  '[/livez] [] [get]',
  '[/openapi/*] [] [get]',
  '[/openapi] [] [get]',
  '[/readyz] [] [get]',
  '[/version/] [] [get]',
  '[/version] [] [get]',
];

suite('kubectl auth can-i --list', () => {
  let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
  let server: Standalone;
  let kubectl: Kubectl;

  before(async () => {
    directory = await createTemporaryDirectory();
    server = await startStandalone({ dataDir: join(directory.path, 'data'), port: 0 });
    kubectl = createKubectl(server.adminConfiguration, join(directory.path, 'cache'));
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await directory?.[Symbol.asyncDispose]();
  });

  /** Each row once, without its padding, in order. */
  async function listed(...more: string[]): Promise<string[]> {
    const { stdout } = await kubectl.run(['auth', 'can-i', '--list', ...more]);
    const [head = '', ...rows] = stdout.trimEnd().split('\n');
    assert.match(head, /^Resources +Non-Resource URLs +Resource Names +Verbs$/);
    return [...new Set(rows.map(row => row.trim().replace(/ +/g, ' ')))].sort();
  }

  test('shows the rules of the roles of an administrator', async () => {
    const expected = ['*.* [] [] [*]', '[*] [] [*]', ...ofEverybody].sort();
    assert.deepEqual(await listed(), expected);
    assert.deepEqual(await listed('--namespace', 'kube-nowhere'), expected);
  });

  test('shows the rules of another user', async () => {
    assert.deepEqual(await listed('--as', 'bob'), ofEverybody.toSorted());
    const { stdout } = await kubectl.attempt(['auth', 'can-i', 'delete', 'nodes', '--as', 'bob']);
    assert.equal(stdout.trim(), 'no');
    assert.equal((await kubectl.run(['auth', 'can-i', 'delete', 'nodes'])).stdout.trim(), 'yes');
  });
});
