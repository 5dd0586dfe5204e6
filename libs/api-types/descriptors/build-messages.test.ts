import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { extensions } from '@binnacle/api-names';
import { buildMessages } from './build-messages.ts';
import { allMessages, messageNamed } from './messages.ts';

describe('the definitions of API types', () => {
  it('use each field number and each JSON key once per message', () => {
    for (const message of allMessages().values()) {
      const numbers = message.wireFields.map(field => field.number);
      assert.equal(new Set(numbers).size, numbers.length, message.fullName);
      const inlined = message.wireFields.reduce(
        (count, field) =>
          count + (field.inline && field.type.kind === 'message' ? field.type.message.fields.size : 1),
        0,
      );
      assert.equal(message.fields.size, inlined, message.fullName);
    }
  });

  it('describe every message and field in a sentence', () => {
    for (const message of allMessages().values()) {
      assert.match(message.description, /^\S.*\.$/, message.fullName);
      for (const field of message.wireFields)
        assert.match(field.description, /^\S.*\.$/, `${message.fullName}.${field.name}`);
    }
  });

  it('name existing fields as keys of lists and patches', () => {
    for (const message of allMessages().values()) {
      for (const { name, type, patchMergeKey } of message.fields.values()) {
        if (type.kind !== 'list') continue;
        const keys = [...type.mapKeys, ...(patchMergeKey === undefined ? [] : [patchMergeKey])];
        if (keys.length === 0) continue;
        assert.equal(type.element.kind, 'message', `${message.fullName}.${name}`);
        for (const key of keys)
          assert.ok(
            type.element.kind === 'message' && type.element.message.fields.has(key),
            `${message.fullName}.${name}: ${key}`,
          );
      }
    }
  });

  it('place inlined messages among the fields of the parent in JSON, and in one field on the wire', () => {
    const volume = messageNamed('core.v1.Volume');
    assert.deepEqual(
      volume.wireFields.map(field => [field.name, field.number, field.inline]),
      [
        ['name', 1, false],
        ['volumeSource', 2, true],
      ],
    );
    assert.equal(volume.fields.get('emptyDir')?.number, 2);
    assert.equal(volume.fields.has('volumeSource'), false);
  });

  it('declare list types and keys', () => {
    const ports = messageNamed('core.v1.ServiceSpec').fields.get('ports')?.type;
    assert.ok(ports?.kind === 'list');
    assert.deepEqual([ports.listType, ports.mapKeys], ['map', ['port', 'protocol']]);
    const finalizers = messageNamed('meta.v1.ObjectMeta').fields.get('finalizers')?.type;
    assert.ok(finalizers?.kind === 'list' && finalizers.listType === 'set');
    const containers = messageNamed('core.v1.PodSpec').fields.get('containers')?.type;
    assert.ok(containers?.kind === 'list');
    assert.deepEqual([containers.listType, containers.mapKeys], ['map', ['name']]);
    const args = messageNamed('core.v1.Container').fields.get('args')?.type;
    assert.ok(args?.kind === 'list' && args.listType === 'atomic');
  });

  it('support renamed JSON keys, wrapped lists and recursive types', () => {
    const schema = messageNamed('apiextensions.v1.JSONSchemaProps');
    assert.equal(schema.fields.get('x-cluster-list-type')?.number, 42);
    assert.equal(schema.fields.get('$ref')?.number, 3);
    const not = schema.fields.get('not')?.type;
    assert.ok(not?.kind === 'message' && not.message === schema);
    const extra = messageNamed('authentication.v1.UserInfo').fields.get('extra')?.type;
    assert.ok(extra?.kind === 'map' && extra.value.kind === 'list' && extra.value.wrapped === true);
  });

  it('use the extension names of this API in schemas', () => {
    const { fields } = messageNamed('apiextensions.v1.JSONSchemaProps');
    const named = [...fields.keys()].filter(name => name.startsWith('x-'));
    assert.deepEqual(named.sort(), Object.values(extensions).sort());
  });

  it('name existing schema extensions only', () => {
    const field = { name: 'a', number: 1, type: 'string', label: 'single' as const, description: '' };
    const fields = [{ ...field, options: { extension: ['nothing'] } }];
    const message = { name: 'A', package: 'p', options: {}, fields, description: '' };
    assert.throws(() => buildMessages([message]), /no extension nothing/);
  });

  it('are frozen', () => {
    const message = messageNamed('core.v1.ConfigMap');
    assert.ok(Object.isFrozen(message) && [...message.fields.values()].every(Object.isFrozen));
  });
});
