import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createKubectl } from '../journeys/kubectl/kubectl.ts';
import type { TourStart } from './client-programs.ts';

const definition = (group: string) => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: kettles.${group}}
spec:
  group: ${group}
  scope: Namespaced
  names: {plural: kettles, kind: Kettle, shortNames: [kt]}
  versions:
  - name: v1
    served: true
    storage: true
    additionalPrinterColumns: [{name: Litres, type: integer, jsonPath: .spec.litres}]
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              litres: {type: integer, description: How much it holds.}
              anything: {type: array, items: {type: object}, x-kubernetes-preserve-unknown-fields: true}
`;

/** A tour with kubectl: validation on the client's side needs the whole document of types, custom ones included. */
export async function tourOfKubectl({ configuration, namespace, directory }: TourStart): Promise<void> {
  const kubectl = createKubectl(configuration, join(directory, 'kubectl'));
  const group = `${namespace}.example.com`;
  await kubectl.run(['create', 'namespace', namespace]);
  await kubectl.run(['apply', '-f', '-'], { input: definition(group) });
  await kubectl.run(['wait', '--for=condition=Established', `crd/kettles.${group}`]);
  const inNamespace = ['-n', namespace];
  const kettle = (spec: string) =>
    `apiVersion: ${group}/v1\nkind: Kettle\nmetadata: {name: a}\nspec: ${spec}\n`;
  const apply = ['apply', ...inNamespace, '-f', '-'];
  await kubectl.run(apply, { input: kettle('{litres: 2, anything: [{}]}') });
  const refused = await kubectl.attempt(apply, { input: kettle('{litres: much}') });
  assert.notEqual(refused.code, 0);
  const table = await kubectl.run(['get', ...inNamespace, 'kt']);
  assert.match(table.stdout, /^NAME +LITRES\na +2$/m);
  const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: v}\n';
  await kubectl.run(apply, { input: map });
  assert.match((await kubectl.run(apply, { input: map })).stdout, /unchanged/);
  const wrong = await kubectl.attempt(apply, { input: `${map}unknown: 1\n` });
  assert.match(wrong.stderr, /unknown/);
  assert.match((await kubectl.run(['explain', 'configmap.data'])).stdout, /map\[string\]string/);
  await kubectl.run(['delete', ...inNamespace, 'kettle/a', 'configmap/a']);
}
