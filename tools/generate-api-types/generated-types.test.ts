import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type {
  ApiObject,
  JsonValue,
  ListMeta,
  ManagedFieldsEntry,
  ObjectMeta,
  OwnerReference,
} from '@binnacle/api-objects';
import { messageNamed } from '@binnacle/api-types';
import type { JSONSchemaProps } from '@binnacle/api-types/apiextensions/v1';
import type { Pod, Service, ServicePort } from '@binnacle/api-types/core/v1';
import type { Ingress } from '@binnacle/api-types/networking/v1';
import { repositoryDirectory } from '../source-scan/source-files.ts';
import { readProtoMessages } from './read-proto-messages.ts';

// The compiler runs these: it fails where one of the lines below is no error any more.
describe('types of API objects', () => {
  it('do not compile with fields that the definition does not have', () => {
    const service: Service = { apiVersion: 'v1', kind: 'Service', metadata: {}, spec: { externalName: 'a' } };
    // @ts-expect-error the field is called externalName
    assert.equal(service.spec?.exernalName, undefined);
    // @ts-expect-error SCTP is another protocol
    const port: ServicePort = { protocol: 'STCP' };
    // @ts-expect-error a port is a number
    port.port = '80';
    assert.equal(port.port, '80');
  });

  it('are assignable to JSON and to objects of their kind', () => {
    const pod: Pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [] } };
    const object: ApiObject = pod;
    const spec: JsonValue | undefined = pod.spec;
    assert.equal(object['spec'], spec);
  });

  it('have the fields of inlined messages, and types of other groups under their names', () => {
    const pod: Pod = { apiVersion: 'v1', kind: 'Pod', metadata: {}, spec: { volumes: [{ emptyDir: {} }] } };
    assert.deepEqual(pod.spec?.volumes?.[0]?.emptyDir, {});
    const ingress: Ingress = {
      apiVersion: 'networking.cluster.io/v1',
      kind: 'Ingress',
      metadata: {},
      spec: {},
    };
    const reference = ingress.spec?.defaultBackend?.resource?.kind;
    assert.equal(reference, undefined);
  });

  it('have unions where JSON has alternatives', () => {
    const schema: JSONSchemaProps = { items: { type: 'string' }, additionalProperties: false };
    assert.equal(schema.additionalProperties, false);
  });
});

/** Types that libs/api-objects writes by hand, with every key that they have. */
const handWritten = {
  ObjectMeta: {
    name: '',
    generateName: '',
    namespace: '',
    selfLink: '',
    uid: '',
    resourceVersion: '',
    generation: 0,
    creationTimestamp: '',
    deletionTimestamp: '',
    deletionGracePeriodSeconds: 0,
    labels: {},
    annotations: {},
    ownerReferences: [],
    finalizers: [],
    managedFields: [],
  } satisfies Required<ObjectMeta>,
  ListMeta: {
    resourceVersion: '',
    continue: '',
    remainingItemCount: 0,
    selfLink: '',
  } satisfies Required<ListMeta>,
  OwnerReference: {
    apiVersion: '',
    kind: '',
    name: '',
    uid: '',
    controller: true,
    blockOwnerDeletion: true,
  } satisfies Required<OwnerReference>,
  ManagedFieldsEntry: {
    manager: '',
    operation: '',
    apiVersion: '',
    time: '',
    fieldsType: '',
    fieldsV1: {},
    subresource: '',
  } satisfies Required<ManagedFieldsEntry>,
};

describe('the metadata types of libs/api-objects', () => {
  for (const [name, value] of Object.entries(handWritten))
    it(`${name} has the fields of its message`, () => {
      const fields = messageNamed(`meta.v1.${name}`).fields.keys();
      assert.deepEqual(Object.keys(value).sort(), [...fields].sort());
    });
});

describe('the descriptors', () => {
  it('are equal to those that protobufjs reads from the proto files', () => {
    const read = readProtoMessages(join(repositoryDirectory, 'proto/api')).flatMap(file => file.messages);
    const path = join(repositoryDirectory, 'libs/api-types/generated/descriptors.json');
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), read);
    assert.ok(read.length > 500);
  });
});
