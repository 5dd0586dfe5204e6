import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { vocabulary } from '@binnacle/api-names';
import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { createTypeRegistry } from '@binnacle/api-types';
import { createSpecContext } from './context/spec-context.ts';
import type { OpenApiDocument } from './index.ts';
import { createOpenApiDocuments } from './openapi-documents.ts';
import { definitionName } from './schemas/definition-name.ts';
import { writeDocumentJson, writeDocumentProtobuf } from './v2/document.ts';
import { writePartDocument } from './v3/document.ts';

const registry = createTypeRegistry({ runtimeConfig: '' });
const serverVersion = 'v1.26.0';
const onlyCluster = { skip: vocabulary !== 'cluster' && 'aliases are of the vocabulary cluster' };
const documents = createOpenApiDocuments(registry, { serverVersion });

function parse(document: OpenApiDocument): JsonObject {
  return JSON.parse(document.bytes.toString());
}

function at(value: JsonValue | undefined, ...keys: (string | number)[]): JsonValue | undefined {
  let found = value;
  for (const key of keys) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as { [key: string | number]: JsonValue | undefined })[key]; // an object or a list
  }
  return found;
}

/** Yields every object nested in a value, including the value itself. */
function* objectsIn(value: JsonValue): Generator<JsonObject> {
  if (Array.isArray(value)) for (const element of value) yield* objectsIn(element);
  if (!isJsonObject(value)) return;
  yield value;
  for (const member of Object.values(value)) if (member !== undefined) yield* objectsIn(member);
}

function assertReferencesResolve(
  document: JsonObject,
  prefix: string,
  definitions: JsonValue | undefined,
): void {
  for (const { $ref } of objectsIn(document)) {
    if (typeof $ref !== 'string') continue;
    assert.ok($ref.startsWith(prefix), $ref);
    assert.ok(at(definitions, $ref.slice(prefix.length)), $ref);
  }
}

/** Returns the documents of all parts listed in the index. */
async function v3Documents(): Promise<Map<string, JsonObject>> {
  const paths = at(parse(await documents.v3Index()), 'paths');
  assert.ok(isJsonObject(paths));
  const found = new Map<string, JsonObject>();
  for (const path of Object.keys(paths)) {
    const part = await documents.v3Part(path);
    assert.ok(part, path);
    assert.equal(at(paths, path, 'serverRelativeURL'), part.url);
    found.set(path, parse(part.document));
  }
  return found;
}

describe('the OpenAPI v2 document', () => {
  it('has a definition for every kind and every list, found by group, version and kind', async () => {
    const definitions = at(parse(await documents.v2Json()), 'definitions');
    for (const { group, version, kind, listKind, message, verbs } of registry.resources) {
      const name = definitionName(message.fullName);
      const siblings = name.slice(0, name.lastIndexOf('.') + 1);
      const list = verbs.includes('list') ? [[`${siblings}${listKind}`, listKind] as const] : [];
      for (const [definition, of] of [[name, kind] as const, ...list]) {
        const kinds = at(definitions, definition, 'x-cluster-group-version-kind');
        assert.ok(Array.isArray(kinds), definition);
        assert.ok(
          kinds.some(entry => JSON.stringify(entry) === JSON.stringify({ group, kind: of, version })),
          definition,
        );
      }
    }
  });

  it('has no reference to an undefined definition', async () => {
    const document = parse(await documents.v2Json());
    assertReferencesResolve(document, '#/definitions/', document['definitions']);
  });

  it('has a path with an operation for every verb', async () => {
    const paths = at(parse(await documents.v2Json()), 'paths');
    const methods = { create: 'post', delete: 'delete', get: 'get', patch: 'patch', update: 'put' } as const;
    for (const { group, version, resource, namespaced, verbs } of registry.resources) {
      const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
      const collection = `${root}${namespaced ? '/namespaces/{namespace}' : ''}/${resource}`;
      for (const verb of verbs) {
        const onCollection = verb === 'list' || verb === 'create' || verb === 'deletecollection';
        const path = verb === 'watch' ? collection.replace(root, `${root}/watch`) : collection;
        const method =
          verb === 'deletecollection'
            ? 'delete'
            : verb === 'list' || verb === 'watch'
              ? 'get'
              : methods[verb];
        const place = onCollection || verb === 'watch' ? path : `${path}/{name}`;
        assert.ok(at(paths, place, method), `${verb} ${place}`);
      }
    }
  });

  it('has a unique id for every operation', async () => {
    const aliased = createOpenApiDocuments(registry, { serverVersion, aliasGroups: true });
    const ids = [...objectsIn(parse(await aliased.v2Json()))].flatMap(({ operationId }) => operationId ?? []);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('describes group aliases when they are enabled', onlyCluster, async () => {
    const aliased = createOpenApiDocuments(registry, { serverVersion, aliasGroups: true });
    const paths = at(parse(await aliased.v2Json()), 'paths');
    const patch = at(paths, '/apis/networking.k8s.io/v1/namespaces/{namespace}/ingresses/{name}', 'patch');
    const kind = { group: 'networking.k8s.io', kind: 'Ingress', version: 'v1' };
    assert.deepEqual(at(patch, 'x-kubernetes-group-version-kind'), kind);
    assert.ok(await aliased.v3Part('apis/networking.k8s.io/v1'));
    assert.ok((await documents.v3Part('apis/networking.k8s.io/v1')) === undefined);
  });

  it('describes the merge rules of fields for server-side apply and strategic merge patches', async () => {
    const definitions = at(parse(await documents.v2Json()), 'definitions');
    const ports = at(definitions, 'io.cluster.api.core.v1.ServiceSpec', 'properties', 'ports');
    assert.equal(at(ports, 'x-cluster-list-type'), 'map');
    assert.deepEqual(at(ports, 'x-cluster-list-map-keys'), ['port', 'protocol']);
    assert.equal(at(ports, 'x-cluster-patch-strategy'), 'merge');
    assert.equal(at(ports, 'x-cluster-patch-merge-key'), 'port');
    assert.equal(at(ports, 'x-kubernetes-patch-merge-key'), 'port');
    assert.equal(at(ports, 'items', '$ref'), '#/definitions/io.cluster.api.core.v1.ServicePort');
    const selector = at(definitions, 'io.cluster.api.core.v1.ServiceSpec', 'properties', 'selector');
    assert.equal(at(selector, 'x-cluster-map-type'), 'atomic');
    const volumes = at(definitions, 'io.cluster.api.core.v1.PodSpec', 'properties', 'volumes');
    assert.equal(at(volumes, 'x-cluster-patch-strategy'), 'merge,retainKeys');
  });

  it('describes formats, defaults and required fields', async () => {
    const definitions = at(parse(await documents.v2Json()), 'definitions');
    const port = at(definitions, 'io.cluster.api.core.v1.ServicePort');
    assert.deepEqual(at(port, 'required'), ['port']);
    assert.equal(at(port, 'properties', 'protocol', 'default'), 'TCP');
    assert.equal(at(port, 'properties', 'port', 'format'), 'int32');
    const intOrString = at(definitions, 'io.cluster.api.intstr.IntOrString');
    assert.equal(at(intOrString, 'format'), 'int-or-string');
    assert.equal(at(intOrString, 'x-cluster-int-or-string'), true);
  });

  it(
    'has the Kubernetes names of extension keys and groups only for unmodified clients',
    onlyCluster,
    async () => {
      const role = 'io.cluster.api.rbac.v1.Role';
      const own = { group: 'rbac.authorization.cluster.io', kind: 'Role', version: 'v1' };
      const original = { ...own, group: 'rbac.authorization.k8s.io' };
      const compatible = at(parse(await documents.v2Json()), 'definitions', role);
      assert.deepEqual(at(compatible, 'x-kubernetes-group-version-kind'), [own, original]);
      assert.deepEqual(at(compatible, 'x-cluster-group-version-kind'), [own]);
      const strict = createOpenApiDocuments(registry, {
        serverVersion,
        kubernetesClientCompatibility: false,
      });
      const { bytes } = await strict.v2Json();
      assert.equal(bytes.includes('kubernetes'), false);
      assert.equal(bytes.includes('k8s.io'), false);
    },
  );
});

describe('the OpenAPI v3 documents', () => {
  it('exist for each group version and each discovery path', async () => {
    const paths = new Set((await v3Documents()).keys());
    for (const { group, version } of registry.resources)
      assert.ok(paths.has(group === '' ? `api/${version}` : `apis/${group}/${version}`), group);
    for (const path of ['api', 'apis', 'version']) assert.ok(paths.has(path), path);
    assert.equal(await documents.v3Part('apis/nothing.io/v1'), undefined);
  });

  it('have no reference to an undefined schema', async () => {
    for (const document of (await v3Documents()).values())
      assertReferencesResolve(document, '#/components/schemas/', at(document, 'components', 'schemas'));
  });

  it('define every kind of the group version', async () => {
    const all = await v3Documents();
    for (const { group, version, kind, message } of registry.resources) {
      const document = all.get(group === '' ? `api/${version}` : `apis/${group}/${version}`);
      assert.ok(at(document, 'components', 'schemas', definitionName(message.fullName)), kind);
    }
  });

  it('keep the description of a field beside its reference', async () => {
    const core = (await v3Documents()).get('api/v1');
    const spec = at(core, 'components', 'schemas', 'io.cluster.api.core.v1.Pod', 'properties', 'spec');
    assert.deepEqual(at(spec, 'allOf'), [{ $ref: '#/components/schemas/io.cluster.api.core.v1.PodSpec' }]);
    assert.equal(typeof at(spec, 'description'), 'string');
  });
});

describe('the enumerations of fields', () => {
  const policy = ['properties', 'imagePullPolicy'];

  async function policyIn(of: typeof documents): Promise<(JsonValue | undefined)[]> {
    const [v2, v3] = [parse(await of.v2Json()), await of.v3Part('api/v1')];
    const name = 'io.cluster.api.core.v1.Container';
    return [
      at(v2, 'definitions', name, ...policy),
      at(v3 && parse(v3.document), 'components', 'schemas', name, ...policy),
    ];
  }

  it('are in the documents', async () => {
    for (const schema of await policyIn(documents))
      assert.deepEqual(at(schema, 'enum'), ['Always', 'Never', 'IfNotPresent']);
  });

  it('are left out where they are switched off', async () => {
    const without = createOpenApiDocuments(registry, { serverVersion, enumerations: false });
    for (const schema of await policyIn(without)) {
      assert.equal(at(schema, 'type'), 'string');
      assert.equal(at(schema, 'enum'), undefined);
    }
    assert.equal((await without.v2Json()).bytes.includes('"enum":['), false);
  });
});

describe('the documents', () => {
  it('have the same bytes each time they are generated', async () => {
    const write = async () => {
      const context = createSpecContext(registry, {
        serverVersion,
        kubernetesClientCompatibility: true,
        aliasGroups: false,
        issuerDiscovery: false,
        enumerations: true,
      });
      const parts = await Promise.all(context.parts.map(part => writePartDocument(part, context)));
      const v2 = await Promise.all([writeDocumentJson(context), writeDocumentProtobuf(context)]);
      return [...parts.map(part => part.bytes), ...v2];
    };
    const [first, second] = [await write(), await write()];
    for (const [i, bytes] of first.entries()) assert.ok(second[i]?.equals(bytes), `document ${i}`);
  });

  it('are generated once for a registry and options', async () => {
    assert.equal(createOpenApiDocuments(registry, { serverVersion }), documents);
    assert.equal(await documents.v2Json(), await documents.v2Json());
  });
});
