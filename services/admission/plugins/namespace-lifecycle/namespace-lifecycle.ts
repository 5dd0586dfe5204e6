import { namespaces } from '@binnacle/api-names';
import { forbidden, notFound, StatusError } from '@binnacle/status-errors';
import type { AdmissionPlugin, Mutation } from '../../chain/plugin.ts';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { createRecentReviews, type RecentReviews } from '../../chain/recent-reviews.ts';
import { createsContent, createsNamespace, isAboutNamespace, type Review } from '../../chain/review.ts';
import type { NamespaceSource, NamespaceView } from '../../sources/namespaces.ts';

/** The namespaces that may not be deleted (spec 2, "Built-in admission controllers"). */
const reservedNamespaces: ReadonlySet<string> = new Set(['default', namespaces.system, namespaces.public]);

/** NamespaceLifecycle, on by default. */
export const namespaceLifecycle: PluginRegistration = {
  name: 'NamespaceLifecycle',
  byDefault: true,
  create: ({ namespaces }) => createNamespaceLifecycle(namespaces),
};

const namespaceResource = { group: '', resource: 'namespaces' };

/**
 * NamespaceLifecycle: nothing is created in a namespace that is missing or being deleted, and the reserved namespaces
 * stay. The namespace at the revision that was seen here is a precondition of a creation: a deletion in between fails it.
 */
function createNamespaceLifecycle(namespaces: NamespaceSource): AdmissionPlugin {
  const reviewed = createRecentReviews();
  return {
    name: 'NamespaceLifecycle',
    mutate(review): Mutation | Promise<Mutation> {
      const { operation, name } = review;
      if (isAboutNamespace(review) && operation === 'DELETE' && reservedNamespaces.has(name))
        throw forbidden(namespaceResource, name, 'this namespace may not be deleted');
      // The precondition of the first run of the plugins holds for the second one.
      const isFirst = createsContent(review) && !review.isReinvocation;
      if (!isFirst || createsNamespace(review, namespaces)) return 'unchanged';
      return requireNamespace(review, namespaces, reviewed);
    },
  };
}

async function requireNamespace(
  review: Review,
  namespaces: NamespaceSource,
  reviewed: RecentReviews,
): Promise<Mutation> {
  const { key, revision } = await liveNamespace(review, namespaces, reviewed);
  review.preconditions.push({ key, revision });
  return 'unchanged';
}

/** The namespace of a creation. What the cache says against the creation counts only when the store says so too. */
async function liveNamespace(
  review: Review,
  namespaces: NamespaceSource,
  reviewed: RecentReviews,
): Promise<NamespaceView> {
  const { namespace, call } = review;
  // The first review of the same object did not lead to a commit: the cache was out of date then.
  const isRetry = reviewed.note(review.object?.metadata.uid ?? '');
  let found = isRetry ? undefined : await namespaces.find(namespace, call);
  if (found === undefined || found.terminating) found = await namespaces.findCurrent(namespace, call);
  if (found === undefined) throw notFound(namespaceResource, namespace);
  if (found.terminating) throw terminating(review);
  return found;
}

function terminating({ definition, namespace, object }: Review): StatusError {
  const { group, resource } = definition;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { reason, code, message, details } = forbidden({ group, resource }, object?.metadata.name ?? '', why);
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  return new StatusError({ reason, code, message, details: { ...details, causes: [cause] } });
}
