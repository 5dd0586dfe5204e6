import type { ApiObject, JsonObject, JsonValue } from '@binnacle/api-objects';
import { createTypeRegistry } from '@binnacle/api-types';
import { checkObject, type PatchForm } from '@binnacle/codecs';
import { decodePatchAtOnce } from '@binnacle/codecs/testing';
import { parseYamlAtOnce } from '@binnacle/codecs/texts';
import { applyMergePatch, applyStrategicMergePatch } from '@binnacle/patching';
import { applyJsonPatch } from '@binnacle/patching/testing';
import {
  apply,
  createEmptyObject,
  decodeManagedFields,
  emptyFieldSet,
  encodeManagedFields,
  noManagers,
  schemaFromMessage,
  update,
} from '@binnacle/server-side-apply';
import type { FuzzTarget } from './fuzz-target.ts';

const definition = createTypeRegistry().kind('', 'v1', 'Service')!; // every server has it
const { message } = definition;
const document: ApiObject = {
  kind: 'Service',
  apiVersion: 'v1',
  metadata: { name: 'a', labels: { app: 'web' }, finalizers: ['example.com/a'] },
  spec: {
    ports: [
      { port: 80, protocol: 'TCP', name: 'a' },
      { port: 81, protocol: 'TCP', name: 'b' },
    ],
    selector: { a: 'b' },
  },
};
const schema = schemaFromMessage(message);
const now = '2024-01-01T00:00:00Z';
const recording = {
  manager: 'm',
  apiVersion: 'v1',
  subresource: '',
  now,
  schema,
  resetFields: emptyFieldSet,
};
const managed = update({
  ...recording,
  live: createEmptyObject(message),
  next: document,
  managed: noManagers,
});

const words = [
  ...[
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    'null',
    '{"op":"',
    'add',
    'remove',
    'replace',
    'copy',
    'move',
    'test',
    '"path":"/',
  ],
  ...[
    '"from":"',
    '"value":',
    '/spec',
    '/ports',
    '/0',
    '/-',
    '~0',
    '~1',
    '~2',
    '/metadata',
    '"spec":{',
    '"ports":[',
    '"port":80',
    '"port":',
  ],
  ...[
    '"$patch":"delete"',
    '"$patch":"replace"',
    '"$retainKeys":["',
    '"$setElementOrder/ports":[',
    '"$deleteFromPrimitiveList/finalizers":[',
  ],
  ...[
    '"metadata":{',
    '"finalizers":["',
    '"labels":{',
    '"a":null',
    '{"port":80}',
    '"__proto__":{',
    '1e999',
    '"protocol":"TCP"',
    '"name":"',
  ],
];

/** JSON patches. */
export const jsonPatches: FuzzTarget = {
  name: 'json-patches',
  pace: 3,
  seeds: [
    '[{"op":"add","path":"/metadata/labels/b","value":{"c":[1]}},{"op":"test","path":"/spec/ports/0/port","value":80}]',
    '[{"op":"copy","from":"/spec","path":"/metadata/x"},{"op":"move","from":"/spec/ports/0","path":"/spec/ports/-"}]',
    '[{"op":"remove","path":"/spec/ports/1"},{"op":"replace","path":"","value":{}}]',
  ],
  words,
  run: input => patch(input, 'operations', change => applyJsonPatch(document, change)),
};

/** Merge patches. */
export const mergePatches: FuzzTarget = {
  name: 'merge-patches',
  pace: 3,
  seeds: [
    '{"metadata":{"labels":{"app":null,"b":"c"}},"spec":{"ports":[]}}',
    '{"spec":{"selector":{"a":{"b":1}}}}',
  ],
  words,
  run: input => patch(input, 'object', change => applyMergePatch(document, change)),
};

/** Strategic merge patches. */
export const strategicMergePatches: FuzzTarget = {
  name: 'strategic-merge-patches',
  pace: 3,
  seeds: [
    '{"spec":{"ports":[{"port":80,"name":"x"},{"$patch":"delete","port":81}],"$setElementOrder/ports":[{"port":80}]}}',
    '{"metadata":{"$deleteFromPrimitiveList/finalizers":["example.com/a"],"finalizers":["b"]},"spec":{"$retainKeys":["ports"],"ports":[]}}',
    '{"spec":{"$patch":"replace","ports":[{"port":1}]}}',
  ],
  words,
  run: input => patch(input, 'object', change => applyStrategicMergePatch(document, change, message)),
};

/** Configurations that are applied, YAML or JSON. */
export const appliedConfigurations: FuzzTarget = {
  name: 'applied-configurations',
  seeds: [
    JSON.stringify({ ...document, metadata: { name: 'a' } }),
    'apiVersion: v1\nkind: Service\nmetadata:\n  name: a\n  labels: {b: c}\nspec:\n  ports:\n  - port: 80\n    protocol: TCP\n',
  ],
  words: [...words, '\n', '  ', '- ', 'a: ', 'apiVersion: v1\n', 'spec:\n  ports:\n', '  - port: 80\n'],
  run(input) {
    const { value } = parseYamlAtOnce(input);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    const applied = { ...value, apiVersion: 'v1', kind: 'Service' };
    const result = apply({
      ...recording,
      live: document,
      applied,
      managed,
      empty: createEmptyObject(message),
      force: false,
    });
    if (result.kind === 'conflicts') return;
    checkObject(definition, result.object, 'Warn');
    encodeManagedFields(result.managed);
  },
};

/** Entries of metadata.managedFields as a client sends them: unreadable ones are dropped, whatever they are. */
export const managedFields: FuzzTarget = {
  name: 'managed-fields',
  pace: 3,
  seeds: [
    JSON.stringify(encodeManagedFields(managed)),
    '[{"operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:ports":{"k:{\\"port\\":80}":{".":{},"f:name":{}},"v:1":{},"i:0":{}}}}}]',
  ],
  words: [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '"f:a":{',
    '"k:{\\"a\\":1}":{',
    '"v:\\"a\\"":{}',
    '"i:0":{}',
    '"i:-1"',
    '".":{}',
    '"f:',
    '"k:',
    '"v:',
    'null',
  ],
  run(input) {
    const { patch: entries } = decodePatchAtOnce(input, 'operations');
    if (!Array.isArray(entries)) return;
    const objects = entries.filter(
      (entry): entry is JsonObject => typeof entry === 'object' && entry !== null,
    );
    encodeManagedFields(decodeManagedFields(objects));
  },
};

function patch(input: Buffer, form: PatchForm, apply: (patch: JsonValue) => JsonValue): void {
  const decoded = decodePatchAtOnce(input, form);
  const result = apply(decoded.patch);
  decoded.findings();
  checkObject(definition, result, 'Warn');
}
