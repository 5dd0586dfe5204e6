import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { understood } from '@binnacle/api-names';
import { readAdmissionConfiguration } from './admission-configuration.ts';
import { authorNames, ownNames } from './shown-names.ts';

const registered = [
  { name: 'Told', configurable: true },
  { name: 'Also', configurable: true },
  { name: 'Plain' },
];

async function read(text: string) {
  const directory = await mkdtemp(join(tmpdir(), 'admission-configuration-'));
  try {
    await mkdir(join(directory, 'parts'));
    await writeFile(join(directory, 'parts', 'also.yaml'), 'limits: [1]\n');
    const file = join(directory, 'admission.yaml');
    await writeFile(file, text);
    const found = readAdmissionConfiguration(file, registered);
    return Object.fromEntries(
      [...found].map(([name, { document, directory: at, names }]) => [
        name,
        { document, at: at.slice(directory.length), names },
      ]),
    );
  } finally {
    await rm(directory, { recursive: true });
  }
}

const head = 'apiVersion: apiserver.config.cluster.io/v1\nkind: AdmissionConfiguration\n';

test('without a file the configuration is empty', () => {
  assert.equal(readAdmissionConfiguration(undefined, registered).size, 0);
});

test('the configuration of a plugin is inline or in a file of its own', async () => {
  const plugins =
    'plugins:\n- name: Told\n  configuration: {a: 1}\n- name: Also\n  path: parts/also.yaml\n- name: Plain\n';
  assert.deepEqual(await read(head + plugins), {
    Told: { document: { a: 1 }, at: '', names: ownNames },
    Also: { document: { limits: [1] }, at: '/parts', names: ownNames },
  });
});

test('the deprecated form and the alias of its group are accepted', async () => {
  const versions = [
    ...understood.groups.apiserver.map(group => `${group}/v1alpha1`),
    ...understood.groups.apiserverConfig.map(group => `${group}/v1`),
  ];
  for (const apiVersion of versions) {
    const text = JSON.stringify({
      apiVersion,
      kind: 'AdmissionConfiguration',
      plugins: [{ name: 'Told', configuration: { b: 2 } }],
    });
    const names = authorNames(apiVersion);
    assert.deepEqual(await read(text), { Told: { document: { b: 2 }, at: '', names } });
  }
});

const refused: readonly [string, string, RegExp][] = [
  ['another kind', 'apiVersion: apiserver.config.cluster.io/v1\nkind: Other\n', /expected kind Admission/],
  ['another version', 'apiVersion: v1\nkind: AdmissionConfiguration\n', /expected kind Admission/],
  ['an unknown field', `${head}plugin: []\n`, /unknown field "plugin"/],
  ['an unknown field of a plugin', `${head}plugins: [{name: Told, file: x}]\n`, /unknown field "file"/],
  ['an unknown plugin', `${head}plugins: [{name: told, path: x}]\n`, /unknown admission plugin "told"/],
  ['a plugin without a name', `${head}plugins: [{path: x}]\n`, /a plugin needs a name/],
  ['no list of plugins', `${head}plugins: {}\n`, /plugins is not a list/],
  ['a plugin twice', `${head}plugins: [{name: Told, configuration: {}}, {name: Told}]\n`, /twice/],
  ['both ways at once', `${head}plugins: [{name: Told, path: x, configuration: {}}]\n`, /both a path/],
  ['a file that is not there', `${head}plugins: [{name: Told, path: x.yaml}]\n`, /no such file/],
  ['a plugin that takes none', `${head}plugins: [{name: Plain, configuration: {}}]\n`, /takes no config/],
  ['text that is no object', '- a\n', /does not hold an object/],
  ['no YAML', '{', /error decoding YAML/],
];

for (const [what, text, message] of refused)
  test(`${what} is refused`, async () => {
    await assert.rejects(read(text), message);
  });
