import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commands } from '../commands/commands.ts';
import type { CandidateSource } from './candidate-source.ts';
import { completeLine } from './complete-line.ts';

/** The names of a small server. */
const source: CandidateSource = {
  async types(verb) {
    const types = ['configmaps', 'deployments.apps', 'pods', ...(verb === undefined ? ['bindings'] : [])];
    return types.map(text => ({ text }));
  },
  names: async type => (type === 'pods' ? ['a', 'ab', 'b'] : []),
  namespaces: async () => ['default', 'shop'],
  entries: list =>
    ({ contexts: ['home', '$(reboot)', 'two words', 'work'], clusters: ['k'], users: ['u'] })[list],
};

const cases: [line: string, candidates: string][] = [
  ['ge', 'get'],
  ['config ', 'view current-context get-contexts use-context'],
  ['config use', 'use-context'],
  ['help conf', 'config'],
  ['-n shop ge', 'get'],
  ['nonsense ', ''],
  ['get ', 'configmaps deployments.apps pods'],
  ['get pods,de', 'pods,deployments.apps'],
  ['get pods ', 'a ab b'],
  ['get pods a', 'a ab'],
  ['get pods a ', 'ab b'],
  ['get -A pods -l x=y a', 'a ab'],
  ['get pods/a', 'pods/a pods/ab'],
  ['get pods/a de', 'deployments.apps/'],
  ['get pods/a pods/', 'pods/ab pods/b'],
  ['list ', 'configmaps deployments.apps pods'],
  ['list pods ', ''],
  ['auth can-i l', 'list'],
  ['auth can-i get b', 'bindings'],
  ['get -n ', 'default shop'],
  ['get --namespace=s', 'shop'],
  ['get -An s', 'shop'],
  ['--context w', 'work'],
  ['--cluster ', 'k'],
  ['--user=', 'u'],
  ['config use-context ', 'home work'],
  ['get pods -o custom', 'custom-columns custom-columns-file'],
  ['version -o ', 'json yaml'],
  ['delete pods a --cascade=', 'background foreground orphan'],
  ['delete pods a --wait=', 'true false'],
  ['delete --casc', '--cascade'],
  ['get --all', '--all-namespaces --allow-missing-template-keys'],
  ['get -- -', ''],
  ['get -l ', ''],
  ['get --nonsense=', ''],
  ['completion ', 'bash zsh fish'],
  ['completion bash ', ''],
];
for (const [line, candidates] of cases)
  test(`"${line}" goes on with "${candidates}"`, async () => {
    const completion = await completeLine(line.split(' '), source);
    assert.equal(completion.candidates.map(({ text }) => text).join(' '), candidates);
    assert.equal(completion.allowsFiles, false);
  });

test('files are completed where a flag or the usage names one', async () => {
  for (const line of ['apply -f ', 'get --kubeconfig ', 'verify-history ', 'delete -f=', 'restore '])
    assert.deepEqual(await completeLine(line.split(' '), source), {
      candidates: [],
      allowsFiles: true,
      goesOn: false,
    });
});

test('a name is completed without a space after a type with a slash', async () => {
  assert.equal((await completeLine(['get', 'pods/a', ''], source)).goesOn, true);
  assert.equal((await completeLine(['get', ''], source)).goesOn, false);
});

test('a dash completes the letters of flags too, and commands and flags have descriptions', async () => {
  const { candidates } = await completeLine(['get', '-'], source);
  const letter = candidates.find(({ text }) => text === '-n');
  assert.equal(letter?.description, 'namespace of the request');
  const [get] = (await completeLine(['ge'], source)).candidates;
  assert.equal(get?.description, commands.find(({ name }) => name === 'get')?.summary);
});
