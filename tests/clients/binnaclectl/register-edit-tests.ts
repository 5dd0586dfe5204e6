import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../journeys/api-server.ts';
import { type Binnaclectl, configMap } from './start-binnaclectl.ts';

/** Registers the tests of `edit`. */
export function registerEditTests(binnaclectl: Binnaclectl): void {
  const { run, succeed } = binnaclectl;
  const edit = (args: readonly string[], editor: string) =>
    run(['edit', ...args, '-n', 'tour'], '', { KUBE_EDITOR: editor });
  const readData = async (name: string) =>
    JSON.parse(await succeed(['get', 'cm', name, '-n', 'tour', '-o', 'json'])).data;

  /** An editor that is a shell script; `$1` is the file, and `$0.n` counts its runs. */
  async function scripted(script: string): Promise<string> {
    const path = join(binnaclectl.folder, `editor-${crypto.randomUUID()}`);
    await writeFile(path, `#!/bin/sh\nset -e\necho >> "$0.n"\nrun=$(wc -l < "$0.n")\n${script}\n`, {
      mode: 0o700,
    });
    return path;
  }

  /** Edits while another client changes the object: the change is made once the first file is open. */
  async function editWhile(args: readonly string[], script: string, change: () => Promise<unknown>) {
    const editor = await scripted(
      `touch "$0.open"; while [ ! -e "$0.changed" ]; do sleep 0.05; done\n${script}`,
    );
    const editing = edit(args, editor);
    await until('the editor is open', () => existsSync(`${editor}.open`));
    await change();
    await writeFile(`${editor}.changed`, '');
    return await editing;
  }

  test('edit sends only changes, from a file that only the user can read', async () => {
    await succeed(['apply', '-f', '-'], configMap('e', '{colour: blue, size: large}'));
    const editor = await scripted(
      'cp "$1" "$0.seen"; stat -c "%a" "$1" "$(dirname "$1")" > "$0.modes"; echo "$1" > "$0.path"; sed -i s/blue/red/ "$1"',
    );
    const { code, out, err } = await edit(['cm', 'e', '--output-patch'], editor);
    assert.deepEqual(
      { code, out, err },
      { code: 0, out: 'Patch: {"data":{"colour":"red"}}\nconfigmap/e edited\n', err: '' },
    );
    assert.deepEqual(await readData('e'), { colour: 'red', size: 'large' });
    const seen = await readFile(`${editor}.seen`, 'utf8');
    assert.match(
      seen,
      /^# Please edit the object below\. Lines beginning with a '#' will be ignored,\n[\s\S]*\n#\napiVersion: v1\n/,
    );
    assert.doesNotMatch(seen, /managedFields/);
    assert.equal(await readFile(`${editor}.modes`, 'utf8'), '600\n700\n');
    assert.equal(existsSync((await readFile(`${editor}.path`, 'utf8')).trim()), false);
    const managed = await succeed(['get', 'cm/e', '-n', 'tour', '-o', 'yaml', '--show-managed-fields']);
    assert.match(managed, /manager: binnaclectl-edit\n {4}operation: Update\n/);
    const json = await edit(['cm/e', '-o', 'json'], 'sed -i s/red/blue/');
    assert.equal(json.out, 'configmap/e edited\n');
  });

  test('an unchanged or empty file changes nothing', async () => {
    const unchanged = await edit(['cm', 'e'], 'true');
    assert.deepEqual(unchanged, { code: 0, out: '', err: 'Edit cancelled, no changes made.\n' });
    const commented = await edit(['cm', 'e'], 'sed -i 1i#comment');
    assert.deepEqual(commented, unchanged);
    const empty = await edit(['cm', 'e'], 'truncate -s 0');
    assert.deepEqual(empty, { code: 0, out: '', err: 'Edit cancelled, saved file was empty.\n' });
  });

  test('a file that cannot be parsed or is refused is opened again with the reason', async () => {
    const editor = await scripted(`case $run in
      1) sed -i 's/blue/[/' "$1";;
      2) grep -q '^# The edited file had a syntax error: ' "$1"; sed -i 's/colour: \\[/colour: {}/' "$1";;
      3) grep -q '^# configmaps "e" was not valid:$' "$1"; grep -q '^# \\* .*cannot' "$1"; sed -i 's/colour: {}/colour: green/' "$1";;
    esac`);
    const { code, out, err } = await edit(['cm', 'e'], editor);
    assert.deepEqual([code, out], [0, 'configmap/e edited\n'], err);
    assert.match(err, /^error: The edited file had a syntax error: .*\nerror: configmaps "e" is invalid\n$/);
    assert.equal((await readData('e')).colour, 'green');
  });

  test('a file that remains invalid is kept and named', async () => {
    const { code, out, err } = await edit(['cm', 'e'], 'sed -i s/green/[]/');
    assert.deepEqual([code, out], [1, '']);
    const path = /^A copy of your changes has been stored to "(.+)"$/m.exec(err)?.[1] ?? '';
    assert.match(err, /\nerror: Edit cancelled, no valid changes were saved\.\n$/);
    assert.match(await readFile(path, 'utf8'), /was not valid:[\s\S]*colour: \[\]\n/);
    await rm(join(path, '..'), { recursive: true });
  });

  test('several objects are edited as one list, and unchanged ones are skipped', async () => {
    await succeed(['apply', '-f', '-'], configMap('e-2', '{colour: white}'));
    const editor = await scripted('grep -q "^kind: List" "$1"; sed -i s/white/black/ "$1"');
    const { code, out, err } = await edit(['cm', 'e', 'e-2'], editor);
    assert.deepEqual([code, out, err], [0, 'configmap/e skipped\nconfigmap/e-2 edited\n', '']);
    assert.deepEqual(await readData('e-2'), { colour: 'black' });
  });

  test('of several objects only refused ones are opened again', async () => {
    const file = join(binnaclectl.folder, 'both.yaml');
    await writeFile(
      file,
      [configMap('e-4', '{colour: white}'), configMap('e-5', '{colour: white}')].join('---\n'),
    );
    await succeed(['apply', '-f', file]);
    const editor = await scripted(`case $run in
      1) sed -i -e '0,/white/s//[]/' -e s/white/grey/ "$1";;
      2) if grep -q e-5 "$1"; then exit 1; fi; sed -i 's/\\[\\]/pink/' "$1";;
    esac`);
    const { code, out, err } = await edit(['-f', file], editor);
    assert.deepEqual(
      [code, out, err],
      [0, 'configmap/e-5 edited\nconfigmap/e-4 edited\n', 'error: configmaps "e-4" is invalid\n'],
    );
    assert.deepEqual(
      [await readData('e-4'), await readData('e-5')],
      [{ colour: 'pink' }, { colour: 'grey' }],
    );
  });

  test('changes of other clients are kept, per item in lists with merge keys', async () => {
    const container = (name: string, image: string) => `{name: ${name}, image: ${image}}`;
    const deployment = (...containers: string[]) =>
      `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: e, namespace: tour}\nspec:\n  selector: {matchLabels: {app: e}}\n  template:\n    metadata: {labels: {app: e}}\n    spec: {containers: [${containers.join()}]}\n`;
    await succeed(['apply', '-f', '-'], deployment(container('one', 'one'), container('two', 'two')));
    const { code, out, err } = await editWhile(
      ['deploy', 'e'],
      'sed -i "s/image: one/image: edited/" "$1"',
      () =>
        succeed(
          ['apply', '-f', '-'],
          deployment(container('one', 'one'), container('two', 'changed'), container('three', 'three')),
        ),
    );
    assert.deepEqual([code, out, err], [0, 'deployment.apps/e edited\n', '']);
    const images = await succeed([
      'get',
      'deploy',
      'e',
      '-n',
      'tour',
      '-o',
      'jsonpath={.spec.template.spec.containers[*].image}',
    ]);
    assert.equal(images, 'edited changed three');
  });

  test('a conflict with another client is reported for a list without merge keys', async () => {
    await succeed(['apply', '-f', '-'], vaseDefinition);
    await until('the type is served', async () => (await run(['get', 'vases'])).code === 0);
    const put = (spec: string) =>
      succeed(
        ['apply', '-f', '-', '--force-conflicts'],
        `apiVersion: edit.example.com/v1\nkind: Vase\nmetadata: {name: v, namespace: tour}\nspec: ${spec}\n`,
      );
    const spec = () => succeed(['get', 'vase', 'v', '-n', 'tour', '-o', 'jsonpath={.spec}']);
    await put('{litres: 1, flowers: [rose]}');
    const apart = await editWhile(['vase/v'], 'sed -i "s/- rose/- tulip/" "$1"', () =>
      put('{litres: 2, flowers: [rose]}'),
    );
    assert.deepEqual([apart.code, apart.out, apart.err], [0, 'vase.edit.example.com/v edited\n', '']);
    assert.deepEqual(JSON.parse(await spec()), { litres: 2, flowers: ['tulip'] });

    const script = `case $run in
      1) sed -i 's/- tulip/- lily/' "$1";;
      2) grep -q '^# \\* spec.flowers$' "$1"; sed -i '/^# To send the version below/d' "$1";;
    esac`;
    const both = await editWhile(['vase/v'], script, () => put('{litres: 2, flowers: [iris]}'));
    assert.deepEqual([both.code, both.out], [0, 'vase.edit.example.com/v edited\n']);
    assert.equal(both.err, 'error: vases.edit.example.com "v" was changed by another client\n');
    assert.deepEqual(JSON.parse(await spec()), { litres: 2, flowers: ['lily'] });

    const left = await editWhile(['vase/v'], '[ $run = 2 ] || sed -i "s/- lily/- aster/" "$1"', () =>
      put('{litres: 2, flowers: [iris]}'),
    );
    assert.equal(left.code, 1);
    assert.match(left.err, /\nerror: Edit cancelled, no valid changes were saved\.\n$/);
    assert.deepEqual(JSON.parse(await spec()), { litres: 2, flowers: ['iris'] });
    await removeKept(left.err);
  });

  test('the edits of a deleted object are kept in a file', async () => {
    await succeed(['apply', '-f', '-'], configMap('e-3', '{colour: white}'));
    const { code, err } = await editWhile(['cm', 'e-3'], 'sed -i s/white/black/ "$1"', () =>
      succeed(['delete', 'cm', 'e-3', '-n', 'tour']),
    );
    assert.equal(code, 1);
    assert.match(
      err,
      /^error: configmaps "e-3" could not be found on the server\nA copy of your changes has been stored to ".+"\n$/,
    );
    await removeKept(err);
  });

  const failures: [what: string, args: string[], editor: string, err: RegExp][] = [
    [
      'another kind',
      ['cm/e'],
      'sed -i s/ConfigMap/Secret/',
      /error: At least one of apiVersion, kind and name was changed\n$/,
    ],
    [
      'another namespace',
      ['cm/e'],
      'sed -i s/tour/detour/',
      /error: the namespace from the provided object "detour" does not match/,
    ],
    [
      'an editor that does not exist',
      ['cm/e'],
      '/nonesuch',
      /^error: unable to launch the editor "\/nonesuch"\n$/,
    ],
    ['an editor that fails', ['cm/e'], 'false', /^error: there was a problem with the editor "false"\n$/],
    [
      'a name that does not exist',
      ['cm/none'],
      'true',
      /^Error from server \(NotFound\): configmaps "none" not found\n$/,
    ],
    ['a type without objects', ['pods'], 'true', /^error: edit cancelled, no objects found\n$/],
    ['no type', [], 'true', /^error: you must specify the type of resource to use\n/],
    ['--save-config', ['cm/e', '--save-config'], 'true', /^error: --save-config is not supported/],
    ['standard input', ['-f', '-'], 'true', /^error: -f - is not supported/],
    [
      'another format',
      ['cm/e', '-o', 'name'],
      'true',
      /^error: unable to match a printer suitable for the output format "name", allowed formats are: json,yaml\n/,
    ],
  ];
  for (const [what, args, editor, err] of failures)
    test(`edit with ${what} exits with code 1`, async () => {
      const ended = await edit(args, editor);
      assert.deepEqual([ended.code, ended.out], [1, '']);
      assert.match(ended.err, err);
      await removeKept(ended.err);
    });
}

async function removeKept(err: string): Promise<void> {
  const path = /stored to "(.+)"/.exec(err)?.[1];
  if (path !== undefined) await rm(join(path, '..'), { recursive: true });
}

const vaseDefinition = `
apiVersion: apiextensions.cluster.io/v1
kind: CustomResourceDefinition
metadata: {name: vases.edit.example.com}
spec:
  group: edit.example.com
  scope: Namespaced
  names: {plural: vases, singular: vase, kind: Vase}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties: {litres: {type: integer}, flowers: {type: array, items: {type: string}}}
`;
