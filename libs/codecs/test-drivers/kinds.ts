import { createTypeRegistry, type MessageType } from '@binnacle/api-types';
import type { BodyDefinition } from '../index.ts';

/** Versions that must be enabled explicitly. */
const onRequest = [
  'admissionregistration.cluster.io/v1alpha1',
  'authentication.cluster.io/v1alpha1',
  'networking.cluster.io/v1alpha1',
];

/** Returns every kind of request bodies: resources, subresources and request options. */
export function bodyDefinitions(): BodyDefinition[] {
  const registry = createTypeRegistry({ runtimeConfig: onRequest.join() });
  const definitions = new Map<string, BodyDefinition>();
  const add = (definition: BodyDefinition) =>
    definitions.set(`${definition.group}/${definition.version}/${definition.kind}`, definition);
  for (const resource of registry.resources) {
    add(resource);
    for (const {
      kind,
      group = resource.group,
      version = resource.version,
    } of resource.subresources.values()) {
      const message = findMessage(group, version, kind);
      if (message !== undefined) add({ group, version, kind, message });
    }
  }
  for (const kind of ['Status', 'DeleteOptions', 'CreateOptions', 'PatchOptions', 'UpdateOptions']) {
    const message = registry.message(`meta.v1.${kind}`);
    if (message !== undefined) add({ group: '', version: 'v1', kind, message });
  }
  return [...definitions.values()];

  function findMessage(group: string, version: string, kind: string): MessageType | undefined {
    const packageName = group === '' ? 'core' : group.split('.', 1)[0];
    return registry.message(`${packageName}.${version}.${kind}`);
  }
}
