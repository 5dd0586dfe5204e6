import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { pollUntil } from '@binnacle/backends';
import { createTemporaryDirectory } from '../setup/temporary-directory.ts';
import { registerApplySteps } from './apply-steps.ts';
import type { Kubectl } from './kubectl.ts';

const manifest = (colour: string, extra = ''): string => `apiVersion: v1
kind: ConfigMap
metadata:
  name: applied
  namespace: tour
data:
  colour: ${colour}
${extra}`;

/** The journey of a user with an unmodified kubectl; the same on every run form. */
export function registerKubectlJourney(
  form: string,
  /** With an administrator's configuration. */
  administrator: () => Kubectl,
): void {
  suite(`kubectl on ${form}`, () => {
    let kubectl: Kubectl;
    before(() => {
      kubectl = administrator();
    });

    test('get ns shows the namespaces that every server has', async () => {
      const { stdout } = await kubectl.run(['get', 'ns']);
      for (const name of ['default', 'cluster-system', 'cluster-public']) {
        assert.match(stdout, new RegExp(`^${name} +Active`, 'm'));
      }
    });

    test('create configmap stores it, and get -o yaml shows it', async () => {
      await kubectl.run(['create', 'ns', 'tour']);
      await kubectl.run(['-n', 'tour', 'create', 'configmap', 'settings', '--from-literal=colour=blue']);
      const { stdout } = await kubectl.run(['-n', 'tour', 'get', 'configmap', 'settings', '-o', 'yaml']);
      assert.match(stdout, /^ {2}colour: blue$/m);
      assert.match(stdout, /^ {2}resourceVersion: "\d+"$/m);
      const repeated = await kubectl.attempt(['-n', 'tour', 'create', 'configmap', 'settings']);
      assert.equal(repeated.code, 1);
      assert.match(repeated.stderr, /already exists/);
    });

    test('get -w shows existing and new objects', async () => {
      using watch = kubectl.follow(['-n', 'tour', 'get', 'configmaps', '-w', '-o', 'name']);
      await pollUntil('the list', () => watch.lines.includes('configmap/settings'));
      await kubectl.run(['-n', 'tour', 'create', 'configmap', 'later']);
      await pollUntil('the new object', () => watch.lines.includes('configmap/later'));
    });

    test('a second apply changes objects, and removes fields that are no longer applied', async () => {
      const apply = (input: string) => kubectl.run(['apply', '-f', '-'], { input });
      const first = await apply(manifest('red', '  size: large\n'));
      assert.match(first.stdout, /configmap\/applied created/);
      const second = await apply(manifest('green'));
      assert.match(second.stdout, /configmap\/applied configured/);
      const third = await apply(manifest('green'));
      assert.match(third.stdout, /configmap\/applied unchanged/);
      const { stdout } = await kubectl.run(['-n', 'tour', 'get', 'cm', 'applied', '-o', 'json']);
      assert.deepEqual(JSON.parse(stdout).data, { colour: 'green' });
    });

    registerApplySteps(() => kubectl);

    test('label sets a label, and a selector finds it', async () => {
      await kubectl.run(['-n', 'tour', 'label', 'configmap', 'settings', 'tier=front']);
      const { stdout } = await kubectl.run(['-n', 'tour', 'get', 'cm', '-l', 'tier=front', '-o', 'name']);
      assert.equal(stdout.trim(), 'configmap/settings');
    });

    test('edit stores the edited object', async () => {
      await using directory = await createTemporaryDirectory();
      const editor = join(directory.path, 'editor.sh');
      await writeFile(editor, '#!/bin/sh\nsed -i "s/colour: blue/colour: yellow/" "$1"\n');
      await chmod(editor, 0o755);
      await kubectl.run(['-n', 'tour', 'edit', 'configmap', 'settings'], {
        environment: { EDITOR: editor, KUBE_EDITOR: editor },
      });
      const { stdout } = await kubectl.run(['-n', 'tour', 'get', 'cm', 'settings', '-o', 'json']);
      assert.deepEqual(JSON.parse(stdout).data, { colour: 'yellow' });
    });

    test('an invalid object is refused, and not stored', async () => {
      const input = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: Bad_Name, namespace: tour}\n';
      const refused = await kubectl.attempt(['create', '-f', '-'], { input });
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /Bad_Name/);
      const { stdout } = await kubectl.run(['-n', 'tour', 'get', 'cm', '-o', 'name']);
      assert.doesNotMatch(stdout, /Bad_Name/);
    });

    test('delete ns removes the namespace and everything in it', async () => {
      await kubectl.run(['-n', 'tour', 'create', 'secret', 'generic', 'password', '--from-literal=p=q']);
      await kubectl.run(['--request-timeout=60s', 'delete', 'ns', 'tour', '--wait=true', '--timeout=60s']);
      const gone = await kubectl.attempt(['get', 'ns', 'tour']);
      assert.match(gone.stderr, /not found/i);
      for (const kind of ['configmaps', 'secrets', 'serviceaccounts']) {
        const { stdout } = await kubectl.run(['get', kind, '--all-namespaces', '-o', 'json']);
        const inside = JSON.parse(stdout).items.filter(
          (item: { metadata: { namespace: string } }) => item.metadata.namespace === 'tour',
        );
        assert.deepEqual(inside, []);
      }
    });
  });
}
