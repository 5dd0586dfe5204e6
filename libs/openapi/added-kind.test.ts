import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, causeFromFieldError, type JsonObject } from '@binnacle/api-objects';
import {
  applyDefaults,
  createTypeRegistry,
  prepareForCreate,
  prepareForUpdate,
  validateObject,
} from '@binnacle/api-types';
import { exampleTypes } from '@binnacle/api-types/testing';
import { encodeProtobuf, jsonMediaType, protobufMediaType, tableFrom, yamlMediaType } from '@binnacle/codecs';
import { decodeBodyAtOnce } from '@binnacle/codecs/testing';
import { encodeYaml } from '@binnacle/codecs/texts';
import { createOpenApiDocuments } from './openapi-documents.ts';

const registry = createTypeRegistry({ added: exampleTypes });
const definition = registry.resource('example.cluster.io', 'v1', 'beacons');
assert.ok(definition);

const sent = {
  metadata: { name: 'west', namespace: 'coast' },
  spec: { range: 12, lamps: [{ name: 'upper' }, { name: 'lower', watts: 60 }] },
  status: { lit: true },
};

/** Decodes a body, applies defaults and prepares the object for a create, as the server does before it stores an object. */
function create(body: JsonObject): ApiObject {
  const { object, warnings } = decodeBodyAtOnce(Buffer.from(JSON.stringify(body)), jsonMediaType, {
    definition: definition!, // asserted above
    fieldValidation: 'Strict',
  });
  assert.deepEqual(warnings, []);
  applyDefaults(definition!, object);
  prepareForCreate(definition!, object);
  applyDefaults(definition!, object);
  return object;
}

describe('a kind added by one message, one line and one file', () => {
  it('is created from JSON, with its defaults and without a status', () => {
    assert.deepEqual(create(sent), {
      apiVersion: 'example.cluster.io/v1',
      kind: 'Beacon',
      metadata: { name: 'west', namespace: 'coast', generation: 1 },
      spec: {
        range: 12,
        colour: 'White',
        lamps: [
          { name: 'upper', watts: 100 },
          { name: 'lower', watts: 60 },
        ],
      },
      status: {},
    });
    assert.deepEqual(validateObject(definition, create(sent)), []);
  });

  it('is refused with the path and the value', () => {
    const wrong = create({
      ...sent,
      spec: { range: 99, colour: 'Blue', lamps: [{ name: 'a' }, { name: 'a' }, {}] },
    });
    assert.deepEqual(validateObject(definition, wrong).map(causeFromFieldError), [
      {
        reason: 'FieldValueNotSupported',
        message: 'Unsupported value: "Blue": supported values: "Green", "Red", "White"',
        field: 'spec.colour',
      },
      { reason: 'FieldValueRequired', message: 'Required value', field: 'spec.lamps[2].name' },
      {
        reason: 'FieldValueInvalid',
        message: 'Invalid value: 99: must be from 1 to 30',
        field: 'spec.range',
      },
      {
        reason: 'FieldValueDuplicate',
        message: 'Duplicate value: "a"',
        field: 'spec.lamps[1].name',
      },
    ]);
  });

  it('is refused when a field is of another type, or not there', () => {
    for (const [spec, path] of [
      [{ range: 'far' }, /spec\.range/],
      [{ range: 2 ** 31 }, /spec\.range/],
      [{ range: 1, lamps: [{ name: 'a', volts: 12 }] }, /spec\.lamps\[0\]\.volts/],
    ] as const)
      assert.throws(() => create({ ...sent, spec: structuredClone(spec) as JsonObject }), path);
  });

  it('is unchanged after protobuf and YAML', () => {
    const object = create(sent);
    const target = { definition, fieldValidation: 'Strict' } as const;
    const wire = encodeProtobuf(definition, object as JsonObject);
    assert.deepEqual(decodeBodyAtOnce(wire, protobufMediaType, target).object, object);
    const yaml = Buffer.from(encodeYaml(object as JsonObject));
    assert.deepEqual(decodeBodyAtOnce(yaml, yamlMediaType, target).object, object);
  });

  it('has a status that only status writes change', () => {
    const old = create(sent);
    const lit = { ...create(sent), spec: { range: 1 }, status: { lit: true } };
    prepareForUpdate(definition, lit, old, 'status');
    assert.deepEqual([lit.spec, lit.status], [old['spec'], { lit: true }]);
    const changed = { ...create(sent), spec: { range: 1 }, status: {} };
    prepareForUpdate(definition, changed, lit);
    assert.deepEqual([changed.spec, changed.status], [{ range: 1 }, { lit: true }]);
    assert.equal(changed.metadata.generation, 2);
  });

  it('is printed as a row of a table', () => {
    const object = create(sent);
    object.metadata.creationTimestamp = '2026-01-01T00:00:00Z';
    const now = Date.parse('2026-01-01T01:00:00Z');
    const table = tableFrom(definition, [object], { listMeta: {}, now });
    assert.deepEqual(
      table.columnDefinitions.map(({ name }) => name),
      ['Name', 'Range', 'Colour', 'Age'],
    );
    assert.deepEqual(table.rows[0]?.cells, ['west', 12, 'White', '60m']);
  });

  it('is in the OpenAPI documents', async () => {
    const documents = createOpenApiDocuments(registry, { serverVersion: 'v1.26.0' });
    const part = await documents.v3Part('apis/example.cluster.io/v1');
    assert.ok(part);
    const document = JSON.parse(part.document.bytes.toString());
    const path = '/apis/example.cluster.io/v1/namespaces/{namespace}/beacons/{name}';
    assert.deepEqual(
      ['get', 'put', 'patch', 'delete'].filter(verb => document.paths[path]?.[verb] === undefined),
      [],
    );
    assert.ok(document.paths[`${path}/status`]);
    const schemas = document.components.schemas;
    const name = Object.keys(schemas).find(key => key.endsWith('.example.v1.BeaconSpec'));
    assert.ok(name, Object.keys(schemas).join());
    const { properties, required } = schemas[name];
    assert.deepEqual(required, ['range']);
    assert.equal(properties.range.format, 'int32');
    assert.deepEqual(
      [properties.colour.default, properties.colour.enum],
      ['White', ['White', 'Red', 'Green']],
    );
    assert.equal(properties.lamps['x-cluster-list-type'], 'map');
    assert.deepEqual(properties.lamps['x-cluster-list-map-keys'], ['name']);
    assert.equal(properties.lamps['x-cluster-patch-merge-key'], 'name');
  });
});
