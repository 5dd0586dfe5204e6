import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../journeys/api-server.ts';
import { type Binnaclectl, configMap } from './start-binnaclectl.ts';

/** Registers the tests of `wait`. */
export function registerWaitTests(binnaclectl: Binnaclectl): void {
  const { start, run, succeed } = binnaclectl;

  test('wait ends when a condition is met for the current generation', async () => {
    await succeed(['apply', '-f', '-'], lampDefinition);
    const type = 'crd/lamps.wait.example.com';
    assert.equal(
      await succeed(['wait', type, '--for=condition=established']),
      'customresourcedefinition.apiextensions.cluster.io/lamps.wait.example.com condition met\n',
    );
    await until('the type is served', async () => (await run(['get', 'lamps'])).code === 0);
    await succeed(['apply', '-f', '-'], lamp('a', '{observedGeneration: 1, conditions: []}'));
    const waiting = start(['wait', 'lamp/a', '--for=condition=Lit=False', '-v', '6']);
    await until('it watches', () => waiting.err().includes('watch=true'));
    const lists = (text: string) => text.split('\n').filter(line => line.includes('/lamps')).length;
    assert.equal(lists(waiting.err()), 3, 'it reads the object, lists it and watches it');
    await succeed(
      ['apply', '-f', '-'],
      lamp('a', '{conditions: [{type: lit, status: "false", observedGeneration: 1}]}'),
    );
    const dark = '{conditions: [{type: lit, status: "false", observedGeneration: 9}]}';
    await succeed(['apply', '-f', '-'], lamp('a', dark));
    const { code, out, err } = await waiting.ended;
    assert.deepEqual({ code, out }, { code: 0, out: 'lamp.wait.example.com/a condition met\n' });
    assert.equal(lists(err), 3, 'it does not poll');
    assert.match(
      await succeed(['wait', 'lamps', '--all', '--for=condition=Lit=false', '-o', 'yaml']),
      /^apiVersion/,
    );
  });

  test('wait reports objects that time out, and continues with the others', async () => {
    await succeed(['apply', '-f', '-'], [configMap('w-1', '{}'), configMap('w-2', '{}')].join('---\n'));
    const names = [
      'wait',
      'cm',
      'w-1',
      'none',
      'w-2',
      '-n',
      'tour',
      '--for=condition=Ready',
      '--timeout=1ms',
    ];
    assert.deepEqual(await run(names), {
      code: 1,
      out: '',
      err: [
        'error: timed out waiting for the condition on configmaps/w-1',
        'Error from server (NotFound): configmaps "none" not found',
        'error: timed out waiting for the condition on configmaps/w-2',
        '',
      ].join('\n'),
    });
    assert.match(
      await succeed(['wait', 'ns/tour', '--for=jsonpath={.status.phase}=Active', '-o', 'name']),
      /^namespace\/tour\n$/,
    );
    assert.equal(
      await succeed(['wait', 'ns/tour', '--for=jsonpath={.status.phase}=Active', '-o=jsonpath={.kind}']),
      'Namespace',
    );
    const once = await run(['wait', 'cm/w-1', '-n', 'tour', '--for=delete', '--timeout=0']);
    assert.equal(once.err, 'error: condition not met for configmaps/w-1\n');
    const none = ['wait', 'cm', '-n', 'tour', '-l', 'no=body'];
    assert.equal((await run([...none, '--for=condition=Ready'])).err, 'error: no matching resources found\n');
    assert.equal(await succeed([...none, '--for=delete']), '');
  });

  test('wait ends when an object is deleted, or already was', async () => {
    await succeed(['apply', '-f', '-'], configMap('w-3', '{}', 'labels: {wait: yes-3}'));
    assert.equal(await succeed(['wait', 'cm/none', '-n', 'tour', '--for=delete']), '');
    const waiting = start([
      'wait',
      'cm',
      '-n',
      'tour',
      '-l',
      'wait=yes-3',
      '--for=delete',
      '--timeout=-1s',
      '-v=6',
    ]);
    await until('it watches', () => waiting.err().includes('watch=true'));
    await succeed(['delete', 'cm/w-3', '-n', 'tour']);
    assert.equal((await waiting.ended).out, 'configmap/w-3 condition met\n');
  });

  const wrong: [what: string, args: string[], err: RegExp][] = [
    ['no condition', ['cm/a'], /^error: unrecognized condition: ""\n/],
    ['an unknown condition', ['cm/a', '--for=foo'], /^error: unrecognized condition: "foo"\n/],
    [
      'a type alone',
      ['cm', '--for=delete'],
      /^error: resource\(s\) were provided, but no name was specified\n/,
    ],
    ['no type', ['--for=delete'], /^error: you must specify the type of resource to use\n/],
    [
      'a name and a selector',
      ['cm/a', '-l', 'a=b', '--for=delete'],
      /^error: name cannot be provided when a selector/,
    ],
    ['a name and all', ['cm', 'a', '--all', '--for=delete'], /^error: name cannot be provided when --all/],
    [
      'a name in all namespaces',
      ['cm/a', '-A', '--for=delete'],
      /^error: a resource cannot be retrieved by name/,
    ],
    ['a file and a type', ['cm', '-f', 'x.yaml', '--for=delete'], /^error: when -f is given/],
  ];
  for (const [what, args, err] of wrong)
    test(`wait with ${what} is refused`, async () => {
      const ended = await run(['wait', ...args]);
      assert.equal(ended.code, 1);
      assert.match(ended.err, err);
    });
}

const lampDefinition = `
apiVersion: apiextensions.cluster.io/v1
kind: CustomResourceDefinition
metadata: {name: lamps.wait.example.com}
spec:
  group: wait.example.com
  scope: Namespaced
  names: {plural: lamps, singular: lamp, kind: Lamp}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          status:
            type: object
            properties:
              observedGeneration: {type: integer}
              conditions:
                type: array
                items:
                  type: object
                  properties: {type: {type: string}, status: {type: string}, observedGeneration: {type: integer}}
`;

const lamp = (name: string, status: string) =>
  `apiVersion: wait.example.com/v1\nkind: Lamp\nmetadata: {name: ${name}}\nstatus: ${status}\n`;
