import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Binnaclectl } from './start-binnaclectl.ts';

/** Registers the tests of `get` and `list`. */
export function registerReadTests(binnaclectl: Binnaclectl): void {
  const { run, succeed } = binnaclectl;

  test('get prints tables, of several types one after the other', async () => {
    const table = await succeed(['get', 'cm', 'settings', '-n', 'tour']);
    assert.match(table, /^NAME +DATA +AGE\nsettings +2 +\d+s\n$/);
    const both = await succeed(['-n', 'tour', 'get', 'deploy,configmaps', '-o', 'wide', '-l', 'tier=front']);
    assert.match(
      both,
      /^NAME +READY.* CONTAINERS .*\ndeployment\.apps\/shop +0\/1.*\n\nNAME +DATA +AGE\nconfigmap\/settings +2/,
    );
    const everywhere = await succeed(['list', 'configmaps', '-A', '--show-labels', '--no-headers']);
    assert.match(everywhere, /^tour +settings +2 +\d+s +tier=front$/m);
  });

  test('get writes JSON, YAML and names', async () => {
    const one: unknown = JSON.parse(await succeed(['get', 'configmap/settings', '-n', 'tour', '-o', 'json']));
    assert.ok(
      typeof one === 'object' &&
        one !== null &&
        'data' in one &&
        !JSON.stringify(one).includes('managedFields'),
    );
    assert.deepEqual(one.data, { colour: 'blue', size: 'large' });
    const yaml = await succeed([
      'get',
      'ConfigMap',
      'settings',
      '-n',
      'tour',
      '-o',
      'yaml',
      '--show-managed-fields',
    ]);
    assert.match(yaml, /^apiVersion: v1\ndata:\n {2}colour: blue\n/);
    assert.match(yaml, /manager: binnaclectl\n {4}operation: Apply/);
    const names = await succeed([
      'list',
      'deployments.apps,cm',
      '-n',
      'tour',
      '-o',
      'name',
      '-l',
      'tier=front',
    ]);
    assert.equal(names, 'deployment.apps/shop\nconfigmap/settings\n');
    const list = await succeed([
      'list',
      'cm',
      '-n',
      'tour',
      '-o',
      'json',
      '--field-selector',
      'metadata.name=settings',
    ]);
    assert.match(list, /^\{\n {4}"apiVersion": "v1",\n {4}"kind": "List"/);
    assert.match(list, /"kind": "ConfigMap"/);
  });

  test('get prints templates for an object, for lists and for several types', async () => {
    const one = ['get', 'cm', 'settings', '-n', 'tour'];
    assert.equal(
      await succeed([...one, '-o', 'jsonpath={.data.colour} {.data}{"\\n"}']),
      'blue {"colour":"blue","size":"large"}\n',
    );
    assert.equal(await succeed([...one, '-o', 'jsonpath={.data.none}']), '');
    assert.equal(await succeed([...one, '-o', 'jsonpath-as-json={.data.colour}']), '[\n    "blue"\n]\n');
    const several = ['get', 'deploy,cm', '-n', 'tour', '-l', 'tier=front'];
    const lines = '{range .items[*]}{.kind}/{.metadata.name}{"\\n"}{end}';
    assert.equal(
      await succeed([...several, '-o', `jsonpath=${lines}`]),
      'Deployment/shop\nConfigMap/settings\n',
    );
    assert.equal(
      await succeed([...several, '-o', 'jsonpath', '--template', '{.items[0].spec.replicas}']),
      '1',
    );
    assert.equal(
      await succeed([...several, '-o', 'custom-columns=NAME:.metadata.name,REPLICAS:spec.replicas']),
      'NAME       REPLICAS\nshop       1\nsettings   <none>\n',
    );
    assert.equal(
      await succeed([...several, '--no-headers', '-o', 'custom-columns=NAME:.metadata.name']),
      'shop\nsettings\n',
    );
    const go = '{{range .items}}{{.metadata.name}} {{.spec.replicas}}{{"\\n"}}{{end}}';
    assert.equal(await succeed([...several, '-o', `go-template=${go}`]), 'shop 1\nsettings <no value>\n');
    assert.equal(
      await succeed([...one, '--template', '{{range $k, $v := .data}}{{$k}}={{$v}};{{end}}']),
      'colour=blue;size=large;',
    );
    const strict = await run([...one, '--allow-missing-template-keys=false', '-o', 'jsonpath={.data.none}']);
    assert.match(strict.err, /^error: error executing jsonpath "\{\.data\.none\}": .* none is not found\n$/);
    assert.equal(await succeed(['get', 'cm', 'none', '--ignore-not-found', '-o', 'jsonpath={.data}']), '');
  });

  test('templates can print managed fields, and config view without secrets', async () => {
    const managers = '-o=jsonpath={.metadata.managedFields[*].manager}';
    assert.match(await succeed(['get', 'cm', 'settings', '-n', 'tour', managers]), /\bbinnaclectl\b/);
    const keys = await succeed([
      'config',
      'view',
      '--minify',
      '-o',
      'jsonpath={.users[*].user.client-key-data}',
    ]);
    assert.match(keys, /^(REDACTED|DATA\+OMITTED)$/);
  });

  test('a list read in chunks is complete', async () => {
    const names = await succeed(['list', 'clusterroles', '-o', 'name', '--chunk-size=0']);
    assert.ok(names.split('\n').length > 10);
    assert.equal(await succeed(['list', 'clusterroles', '-o', 'name', '--chunk-size=3']), names);
    assert.equal(
      (await succeed(['list', 'clusterroles', '--chunk-size=3', '--no-headers'])).split('\n').length,
      names.split('\n').length,
    );
  });

  test('existing objects are shown together with errors for missing ones', async () => {
    const ended = await run(['get', 'cm', 'settings', 'none', '-n', 'tour', '-o', 'name']);
    assert.deepEqual(ended, {
      code: 1,
      out: 'configmap/settings\n',
      err: 'Error from server (NotFound): configmaps "none" not found\n',
    });
    const nothing = await run(['get', 'pods', '-n', 'tour']);
    assert.deepEqual(nothing, { code: 0, out: '', err: 'No resources found in tour namespace.\n' });
    assert.equal(await succeed(['get', 'cm', 'none', '--ignore-not-found']), '');
  });
}
