import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { pollUntil } from '@binnacle/backends';
import type { Kubectl } from './kubectl.ts';

/** A definition as its author wrote it for other servers. */
const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: buoys.sea.example.com
spec:
  group: sea.example.com
  scope: Namespaced
  names: {plural: buoys, singular: buoy, kind: Buoy, shortNames: [by], categories: [all]}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        description: A buoy marks a place at sea.
        properties:
          spec:
            type: object
            required: [colour]
            properties:
              colour: {type: string, enum: [red, green], description: The colour of the buoy.}
              replicas: {type: integer, minimum: 0, default: 1}
              marks:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items:
                  type: object
                  required: [name]
                  properties: {name: {type: string}, height: {type: integer}}
              extra: {type: object, x-kubernetes-preserve-unknown-fields: true}
          status:
            type: object
            properties: {replicas: {type: integer}}
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}
    additionalPrinterColumns:
    - {name: Colour, type: string, jsonPath: .spec.colour}
    - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
`;

const buoy = (colour: string, extra = ''): string => `apiVersion: sea.example.com/v1
kind: Buoy
metadata: {name: north, namespace: default}
spec:
  colour: ${colour}
${extra}`;

/** The journey of a user who brings kinds of their own, with an unmodified kubectl; the same on every run form. */
export function registerCustomKubectlJourney(
  form: string,
  /** With an administrator's configuration. */
  administrator: () => Kubectl,
): void {
  suite(`kubectl and custom resources on ${form}`, () => {
    let kubectl: Kubectl;
    before(() => {
      kubectl = administrator();
    });

    const apply = (input: string) => kubectl.run(['apply', '-f', '-'], { input });

    test('a definition is applied and waited for, and a second apply changes nothing', async () => {
      assert.match((await apply(definition)).stdout, /buoys\.sea\.example\.com created/);
      await kubectl.run([
        'wait',
        '--for=condition=Established',
        '--timeout=20s',
        'crd/buoys.sea.example.com',
      ]);
      assert.match((await apply(definition)).stdout, /unchanged|configured/);
    });

    test('objects are applied, changed and shown in the printer columns', async () => {
      assert.match((await apply(buoy('red', '  marks: [{name: top, height: 3}]\n'))).stdout, /north created/);
      assert.match((await apply(buoy('green'))).stdout, /north configured/);
      const { stdout } = await kubectl.run(['get', 'by', 'north', '-o', 'json']);
      assert.deepEqual(JSON.parse(stdout).spec, { colour: 'green', replicas: 1 });
      const table = await kubectl.run(['get', 'buoys']);
      assert.match(table.stdout, /^NAME +COLOUR +AGE\nnorth +green +\d+s$/m);
      const all = await kubectl.run(['get', 'all']);
      assert.match(all.stdout, /buoy\.sea\.example\.com\/north/);
    });

    test('an invalid object is refused', async () => {
      const { code, stderr } = await kubectl.attempt(['apply', '--validate=false', '-f', '-'], {
        input: buoy('blue'),
      });
      assert.equal(code, 1);
      assert.match(stderr, /spec\.colour: Unsupported value: "blue"/);
    });

    test('scale changes the replicas, and explain shows the fields', async () => {
      await kubectl.run(['scale', 'buoy/north', '--replicas=3']);
      const { stdout } = await kubectl.run(['get', 'buoy', 'north', '-o', 'jsonpath={.spec.replicas}']);
      assert.equal(stdout, '3');
      const explained = await kubectl.run(['explain', 'buoy.spec']);
      assert.match(explained.stdout, /The colour of the buoy/);
      const resources = await kubectl.run(['api-resources', '--api-group=sea.example.com']);
      assert.match(resources.stdout, /^buoys +by +sea\.example\.com/m);
    });

    test('server-side apply merges lists by their keys', async () => {
      const serverSide = (manager: string, name: string) =>
        kubectl.run(['apply', '--server-side', `--field-manager=${manager}`, '-f', '-'], {
          input: `apiVersion: sea.example.com/v1
kind: Buoy
metadata: {name: shared, namespace: default}
spec: {colour: red, marks: [{name: ${name}, height: 1}]}
`,
        });
      await serverSide('first', 'a');
      await serverSide('second', 'b');
      const { stdout } = await kubectl.run(['get', 'buoy', 'shared', '-o', 'json']);
      assert.deepEqual(
        JSON.parse(stdout).spec.marks.map((mark: { name: string }) => mark.name),
        ['a', 'b'],
      );
    });

    test('a watch shows new objects', async () => {
      using watch = kubectl.follow(['get', 'buoys', '-w', '-o', 'name']);
      await pollUntil('the list', () => watch.lines.includes('buoy.sea.example.com/north'));
      await kubectl.run(['patch', 'buoy', 'north', '--type=merge', '-p', '{"spec":{"colour":"red"}}']);
      await pollUntil(
        'the change',
        () => watch.lines.filter(line => line === 'buoy.sea.example.com/north').length > 1,
      );
    });

    test('the objects are deleted with their definition', async () => {
      await kubectl.run(['delete', 'crd', 'buoys.sea.example.com', '--timeout=30s']);
      const { code } = await kubectl.attempt(['get', 'buoys']);
      assert.equal(code, 1);
    });
  });
}
