import { type ApiObject, causeFromFieldError, randomUid, timestampFrom } from '@binnacle/api-objects';
import {
  applyDefaults,
  prepareForCreate,
  type ResourceDefinition,
  validateObject,
} from '@binnacle/api-types';
import { encodeStored } from '@binnacle/codecs';
import { invalid } from '@binnacle/status-errors';
import type { Mutation } from '../../chain/plugin.ts';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { createsContent } from '../../chain/review.ts';

const namespacesType = { group: '', version: 'v1', resource: 'namespaces' };

/**
 * NamespaceAutoProvision, off by default: creates the missing namespace of an object in the same transaction as the object. A dry
 * run creates neither.
 */
export const namespaceAutoProvision: PluginRegistration = {
  name: 'NamespaceAutoProvision',
  byDefault: false,
  create({ namespaces, objects, clock }) {
    const { definition } = objects.reader(namespacesType);
    return {
      name: 'NamespaceAutoProvision',
      async mutate(review): Promise<Mutation> {
        const { namespace, isReinvocation, call, jointWrites } = review;
        if (!createsContent(review) || isReinvocation) return 'unchanged';
        // NamespaceLifecycle refuses writes in a namespace that is being deleted.
        const find = review.isRetry ? namespaces.findCurrent : namespaces.find;
        if ((await find(namespace, call)) !== undefined) return 'unchanged';
        const value = encodeStored(newNamespace(namespace, definition, clock()));
        const key = namespaces.keyOf(namespace);
        if (key !== undefined) jointWrites.push({ key, revision: 0, value, onRemoval: false });
        return 'unchanged';
      },
    };
  },
};

function newNamespace(name: string, definition: ResourceDefinition, now: number): ApiObject {
  const object: ApiObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  prepareForCreate(definition, object);
  applyDefaults(definition, object);
  object.metadata.uid = randomUid();
  object.metadata.creationTimestamp = timestampFrom(now);
  const errors = validateObject(definition, object);
  if (errors.length > 0) throw invalid(definition, name, errors.map(causeFromFieldError));
  return object;
}
