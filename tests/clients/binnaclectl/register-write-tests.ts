import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../journeys/api-server.ts';
import { type Binnaclectl, configMap, definition } from './start-binnaclectl.ts';

/** Registers the tests of `apply` and `delete`. */
export function registerWriteTests(binnaclectl: Binnaclectl): void {
  const { start, run, succeed } = binnaclectl;

  test('apply accepts folders, lists and JSON, and a dry run changes nothing', async () => {
    const manifests = join(binnaclectl.folder, 'manifests');
    await mkdir(manifests);
    const json = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'j', namespace: 'tour' } };
    await writeFile(
      join(manifests, 'b.json'),
      JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [json] }),
    );
    await writeFile(join(manifests, 'a.yaml'), `${configMap('first', '{}')}---\n# the end\n`);
    await writeFile(join(manifests, 'readme.txt'), 'not an object');
    const dry = await succeed(['apply', '-f', manifests, '--dry-run=server']);
    assert.equal(
      dry,
      'configmap/first serverside-applied (server dry run)\nconfigmap/j serverside-applied (server dry run)\n',
    );
    assert.equal((await run(['get', 'cm', 'j', '-n', 'tour'])).code, 1);
    assert.equal(await succeed(['apply', '-f', manifests, '-o', 'name']), 'configmap/first\nconfigmap/j\n');
    const names = await succeed(['apply', '-f', manifests, '-o', 'jsonpath={.items[*].metadata.name}']);
    assert.equal(names, 'first j');
    assert.match(
      await succeed(['delete', '-f', manifests]),
      /^configmap "first" deleted\nconfigmap "j" deleted\n$/,
    );
  });

  test('apply reports a conflict field by field, and overrides it with --force-conflicts', async () => {
    const painted = configMap('settings', '{colour: red}');
    const ended = await run(['apply', '-f', '-', '--field-manager=painter'], painted);
    assert.equal(ended.code, 1);
    assert.match(
      ended.err,
      /^error: Apply failed with 1 conflict: conflict with "binnaclectl": \.data\.colour\nPlease review/,
    );
    const forced = ['apply', '-f', '-', '--field-manager=painter', '--force-conflicts', '-o', 'yaml'];
    assert.match(await succeed(forced, painted), /colour: red/);
    await succeed(['apply', '-f', join(binnaclectl.folder, 'tour.yaml'), '--force-conflicts']);
  });

  test('apply continues after a refused object, and names its file', async () => {
    const documents = [
      configMap('bad', '{}', 'lables: {}'),
      'apiVersion: v1\nkind: Foo\nmetadata: {name: f}\n',
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d, namespace: tour}\nspec: {replicas: -1}\n',
      configMap('good', '{}'),
    ].join('---\n');
    const ended = await run(['apply', '-f', '-'], documents);
    assert.equal(ended.code, 1);
    assert.equal(ended.out, 'configmap/good serverside-applied\n');
    assert.match(
      ended.err,
      /Error from server \(BadRequest\): error when applying "STDIN": .*"metadata\.lables"/,
    );
    assert.match(
      ended.err,
      /resource mapping not found for name: "f" .*no matches for kind "Foo" in version "v1"/,
    );
    assert.match(ended.err, /The Deployment "d" is invalid: \n\* spec\.selector: Required value/);
    const other = await run(['apply', '-f', '-', '-n', 'other'], configMap('good', '{}'));
    assert.match(
      other.err,
      /the namespace from the provided object "tour" does not match the namespace "other"/,
    );
  });

  test('apply accepts a definition and an object of it in one file', async () => {
    const out = await succeed(['apply', '-f', '-'], definition);
    assert.equal(
      out,
      'customresourcedefinition.apiextensions.cluster.io/kettles.shop.example.com serverside-applied\n',
    );
    await until('the type is served', async () => (await run(['get', 'kt'])).code === 0);
    await succeed(
      ['apply', '-f', '-'],
      'apiVersion: shop.example.com/v1\nkind: Kettle\nmetadata: {name: k}\nspec: {litres: 2}\n',
    );
    assert.match(await succeed(['get', 'kettles']), /^NAME +LITRES\nk +2\n$/);
  });

  test('delete accepts names, selectors and --all, and waits for finalizers', async () => {
    await succeed(
      ['apply', '-f', '-'],
      ['d-1', 'd-2', 'd-3'].map(name => configMap(name, '{}', 'labels: {d: x}')).join('---\n'),
    );
    assert.equal(await succeed(['delete', 'cm/d-1', '-n', 'tour']), 'configmap "d-1" deleted\n');
    assert.equal(
      await succeed(['delete', 'cm', '-n', 'tour', '-l', 'd=x', '-o', 'name']),
      'configmap/d-2\nconfigmap/d-3\n',
    );
    const gone = await run(['delete', 'cm', 'd-1', '-n', 'tour', '--dry-run=server']);
    assert.equal(gone.err, 'Error from server (NotFound): configmaps "d-1" not found\n');
    assert.equal((await run(['delete', 'cm', 'd-1', '-n', 'tour', '--ignore-not-found'])).code, 0);

    await succeed(['apply', '-f', '-'], configMap('held', '{}', 'finalizers: [example.com/hold]'));
    const deleting = start([
      'delete',
      'cm',
      'held',
      '-n',
      'tour',
      '--cascade=foreground',
      '--grace-period=0',
    ]);
    await until('the deletion is accepted', () => deleting.out() === 'configmap "held" deleted\n');
    assert.equal((await run(['delete', 'cm', 'held', '-n', 'tour', '--wait=false'])).code, 0);
    const late = await run(['delete', 'cm', 'held', '-n', 'tour', '--timeout=1ms']);
    assert.match(late.err, /^error: timed out waiting for the condition on .*\/held\n$/);
    assert.equal(deleting.child.exitCode, null);
    await succeed(['apply', '-f', '-'], configMap('held', '{}', 'finalizers: []'));
    assert.equal((await deleting.ended).code, 0);
    assert.match(await succeed(['delete', 'kettles', '--all']), /^kettle\.shop\.example\.com "k" deleted\n$/);
  });
}
