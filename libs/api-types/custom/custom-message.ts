import type { FieldDefinition, MessageType } from '../definitions/message-type.ts';
import { messageNamed } from '../descriptors/messages.ts';
import type { JSONSchemaProps } from '../generated/apiextensions/v1.ts';
import { pruneObject } from './prune.ts';

/** Creates the message type of a custom resource: metadata has the usual fields, the schema describes the rest. */
export function customMessage(fullName: string, schema: JSONSchemaProps): MessageType {
  const model = messageNamed('core.v1.ConfigMap');
  return {
    name: fullName.slice(fullName.lastIndexOf('.') + 1),
    fullName,
    fields: new Map([['metadata', getField(model, 'metadata')]]),
    wireFields: [],
    typeMeta: true,
    structType: 'granular',
    description: schema.description ?? '',
    structure: { schema, prune: (object, onUnknown) => pruneObject(schema, object, onUnknown) },
  };
}

/** Creates the message type of a custom resource list. */
export function customListMessage(fullName: string, element: MessageType): MessageType {
  const model = messageNamed('core.v1.ConfigMapList');
  const items: FieldDefinition = {
    ...getField(model, 'items'),
    description: `Objects of kind ${element.name}.`,
    type: {
      kind: 'list',
      element: { kind: 'message', message: element },
      listType: 'atomic',
      mapKeys: [],
    },
  };
  return {
    name: fullName.slice(fullName.lastIndexOf('.') + 1),
    fullName,
    fields: new Map([
      ['metadata', getField(model, 'metadata')],
      ['items', items],
    ]),
    wireFields: [],
    typeMeta: true,
    structType: 'granular',
    description: `A list of ${element.name}.`,
  };
}

/** Returns the full message name of a custom resource: the reversed domain of the group, version and kind. */
export function customMessageName(group: string, version: string, kind: string): string {
  return `${group.split('.').reverse().join('.')}.${version}.${kind}`;
}

function getField({ fields, fullName }: MessageType, name: string): FieldDefinition {
  const field = fields.get(name);
  if (field === undefined) throw new Error(`${fullName} has no field ${name}`);
  return field;
}
