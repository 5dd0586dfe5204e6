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
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  create: ({ namespaces }) => createNamespaceLifecycle(namespaces),
};

const namespaceResource = { group: '', resource: 'namespaces' };

/**
 * NamespaceLifecycle: refuses creations in a namespace that is missing or being deleted, and deletions of reserved namespaces. The
 * revision of the namespace that was read here becomes a precondition of the creation, so a deletion in between fails it.
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

/** Requires the namespace of a creation. A refusal based on the cache is confirmed with the store first. */
function requireNamespace(
  review: Review,
  namespaces: NamespaceSource,
  reviewed: RecentReviews,
): Mutation | Promise<Mutation> {
  const { namespace, call } = review;
  // The first review of the same object did not lead to a commit, so the cache was outdated.
  const isRetry = reviewed.note(review.object?.metadata.uid ?? '');
  const found = isRetry ? undefined : namespaces.find(namespace, call);
  if (found instanceof Promise || found === undefined || found.terminating)
    return requireCurrent(review, namespaces, found);
  return relyOn(review, found);
}

async function requireCurrent(
  review: Review,
  namespaces: NamespaceSource,
  finding: NamespaceView | undefined | Promise<NamespaceView | undefined>,
): Promise<Mutation> {
  const { namespace, call } = review;
  let found = await finding;
  if (found === undefined || found.terminating) found = await namespaces.findCurrent(namespace, call);
  if (found === undefined) throw notFound(namespaceResource, namespace);
  if (found.terminating) throw terminating(review);
  return relyOn(review, found);
}

function relyOn({ preconditions }: Review, { key, revision }: NamespaceView): Mutation {
  preconditions.push({ key, revision });
  return 'unchanged';
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
