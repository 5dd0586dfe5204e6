import { equalJson, type OwnerReference, parseApiVersion } from '@binnacle/api-objects';
import type { TypeRegistry } from '@binnacle/api-types';
import type { AccessDemand } from '@binnacle/proto';
import { forbidden } from '@binnacle/status-errors';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { type Review, reviewedName } from '../../chain/review.ts';

/**
 * OwnerReferencesPermissionEnforcement, off by default: changing the owners of an object needs `delete` on the object,
 * and holding up the deletion of an owner needs `update` on that owner's finalizers.
 */
export const ownerReferencesPermissionEnforcement: PluginRegistration = {
  name: 'OwnerReferencesPermissionEnforcement',
  byDefault: false,
  create: ({ registry }) => ({
    name: 'OwnerReferencesPermissionEnforcement',
    async validate(review) {
      const owners = readOwners(review.object);
      const before = readOwners(review.oldObject);
      if (review.object === undefined || equalJson(owners, before) || isBinding(review)) return;
      if (review.operation !== 'CREATE') review.accessDemands.push(createDeletionDemand(review));
      const blockedBefore = new Set(before.filter(isBlocking).map(({ uid }) => uid));
      for (const owner of owners)
        if (isBlocking(owner) && !blockedBefore.has(owner.uid))
          review.accessDemands.push(createFinalizersDemand(owner, review, registry));
    },
  }),
};

/** Whether the write binds a pod to a node: the owner references of a Binding are not stored. */
function isBinding({ definition, subresource }: Review): boolean {
  return definition.resource === 'pods' && definition.group === '' && subresource === 'binding';
}

function readOwners(object: Review['object']): OwnerReference[] {
  return object?.metadata.ownerReferences ?? [];
}

function isBlocking({ blockOwnerDeletion }: OwnerReference): boolean {
  return blockOwnerDeletion === true;
}

function createDeletionDemand(review: Review): AccessDemand {
  const { definition, subresource, namespace } = review;
  const { group, resource } = definition;
  return {
    anyOf: [{ verb: 'delete', group, resource, subresource, namespace, name: reviewedName(review) }],
    refusal: "cannot set an ownerRef on a resource you can't delete",
  };
}

function createFinalizersDemand(owner: OwnerReference, review: Review, registry: TypeRegistry): AccessDemand {
  const { group, version } = parseApiVersion(owner.apiVersion);
  const definition = registry.kind(registry.canonicalGroup(group), version, owner.kind);
  if (definition === undefined)
    throw forbidden(
      review.definition,
      reviewedName(review),
      `blockOwnerDeletion cannot be set: there is no resource of ${owner.apiVersion} Kind=${owner.kind}`,
    );
  const { resource, namespaced } = definition;
  return {
    anyOf: [
      {
        verb: 'update',
        group: definition.group,
        resource,
        subresource: 'finalizers',
        namespace: namespaced ? review.namespace : '',
        name: owner.name,
      },
    ],
    refusal:
      "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on",
  };
}
