import { groups } from '@binnacle/api-names';
import type { TokenReviewService } from '@binnacle/proto';
import type { Health } from '@binnacle/service-kit';
import { type FindTarget, findNode, findPod, findService } from '../proxy/proxy-target.ts';
import type { ResourceVerbs } from '../request/api-request.ts';
import { bindNamedPod, bindPod } from '../subresources/binding.ts';
import { approvalVerbs, signingStatusVerbs } from '../subresources/certificate-signing-requests.ts';
import { evictPod } from '../subresources/eviction.ts';
import { logVerbs, streamVerbs } from '../subresources/node-agent.ts';
import { requestToken, type TokenServices } from '../subresources/service-account-token.ts';
import type { AccessReviewServices } from '../virtual/access-review.ts';
import { readComponentStatuses } from '../virtual/component-statuses.ts';
import { reviewLocalSubjectAccess } from '../virtual/local-subject-access-reviews.ts';
import { reviewOwnAccess } from '../virtual/self-subject-access-reviews.ts';
import { reviewSelf } from '../virtual/self-subject-reviews.ts';
import { reviewOwnRules } from '../virtual/self-subject-rules-reviews.ts';
import { reviewSubjectAccess } from '../virtual/subject-access-reviews.ts';
import { reviewToken } from '../virtual/token-reviews.ts';
import type { Allocator, AllocatorOptions } from '../write/allocation/allocator.ts';
import { createServiceAllocator } from '../write/allocation/service-allocator.ts';
import type { WriteGuard } from '../write/engine/review.ts';
import type { WriteServices } from '../write/engine/run-write.ts';
import { patchVerb } from '../write/patch.ts';
import { finalizeVerb, updateVerb } from '../write/update.ts';
import { guardBinding } from './guard-binding.ts';
import { guardRole } from './guard-role.ts';

/** Services that the verbs of single kinds use. */
export interface KindServices extends WriteServices, AccessReviewServices, TokenServices {
  readonly tokenReview: TokenReviewService;
  readonly health: Health;
}

/**
 * The gateway's special behavior for one kind. Behavior that needs no service is among the rules of the kind in
 * api-types.
 */
export interface KindBehavior {
  /** Verbs in place of those of every resource. */
  readonly verbs?: ResourceVerbs<KindServices>;
  /** Subresources with behavior of their own. Scales work alike for all kinds, and are not named. */
  readonly subresources?: Readonly<Record<string, ResourceVerbs<KindServices>>>;
  /** Finds the target of requests for its `proxy`. */
  readonly proxyTarget?: FindTarget;
  /** Refuses writes that the user may make as such but not with this content. */
  readonly guard?: WriteGuard;
  /** Creates the allocator of the values that its objects leave to the server. */
  readonly allocator?: (options: AllocatorOptions) => Allocator;
}

/** The kinds with behavior of their own in the gateway, by `group/resource`; the core group is "". */
export const kinds: Readonly<Record<string, KindBehavior>> = {
  '/bindings': { verbs: { create: bindNamedPod } },
  '/componentstatuses': { verbs: { get: readComponentStatuses, list: readComponentStatuses } },
  '/namespaces': { subresources: { finalize: { update: finalizeVerb } } },
  '/nodes': { proxyTarget: findNode },
  '/pods': {
    subresources: {
      attach: streamVerbs,
      binding: { create: bindPod },
      ephemeralcontainers: { update: updateVerb, patch: patchVerb },
      eviction: { create: evictPod },
      exec: streamVerbs,
      log: logVerbs,
      portforward: streamVerbs,
    },
    proxyTarget: findPod,
  },
  '/serviceaccounts': { subresources: { token: { create: requestToken } } },
  '/services': { allocator: createServiceAllocator, proxyTarget: findService },
  [`${groups.authentication}/selfsubjectreviews`]: { verbs: { create: reviewSelf } },
  [`${groups.authentication}/tokenreviews`]: { verbs: { create: reviewToken } },
  [`${groups.authorization}/localsubjectaccessreviews`]: { verbs: { create: reviewLocalSubjectAccess } },
  [`${groups.authorization}/selfsubjectaccessreviews`]: { verbs: { create: reviewOwnAccess } },
  [`${groups.authorization}/selfsubjectrulesreviews`]: { verbs: { create: reviewOwnRules } },
  [`${groups.authorization}/subjectaccessreviews`]: { verbs: { create: reviewSubjectAccess } },
  [`${groups.certificates}/certificatesigningrequests`]: {
    subresources: { approval: approvalVerbs, status: signingStatusVerbs },
  },
  [`${groups.rbac}/clusterrolebindings`]: { guard: guardBinding },
  [`${groups.rbac}/clusterroles`]: { guard: guardRole },
  [`${groups.rbac}/rolebindings`]: { guard: guardBinding },
  [`${groups.rbac}/roles`]: { guard: guardRole },
};
