import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { encodeYaml } from './encode-yaml.ts';
import { listText, type TextForm } from './list-text.ts';

const document: JsonObject = {
  kind: 'PodList',
  apiVersion: 'v1',
  metadata: { resourceVersion: '5' },
  z: 'a\nb',
};
const items: JsonValue[] = [
  { metadata: { name: 'a' }, data: { text: 'one\ntwo\n', nested: [[1, { b: null }], []] } },
  { metadata: { name: 'b' }, list: [] },
  null,
  'text',
  {},
];

const whole: Record<TextForm, (value: JsonValue) => string> = {
  json: value => JSON.stringify(value),
  'indented json': value => `${JSON.stringify(value, null, 2)}\n`,
  yaml: encodeYaml,
};

for (const form of ['json', 'indented json', 'yaml'] as const)
  test(`a list written item by item is equal to the whole document: ${form}`, () => {
    for (const name of ['items', 'rows', 'zz'])
      for (let count = 1; count <= items.length; count++) {
        const shown = items.slice(0, count);
        const text = listText(document, name, form);
        const written = text.start + shown.map(text.item).join('') + text.end;
        assert.equal(written, whole[form]({ ...document, [name]: shown }));
      }
  });
