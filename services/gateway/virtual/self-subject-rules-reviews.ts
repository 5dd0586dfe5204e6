import type { JsonObject } from '@binnacle/api-objects';
import { aliasOfGroup } from '@binnacle/api-types';
import type { SelfSubjectRulesReview } from '@binnacle/api-types/authorization/v1';
import { badRequest } from '@binnacle/status-errors';
import type { Authorizer, PolicyRule } from '../authorization/authorizer.ts';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import type { ReviewServices } from '../write/engine/review.ts';
import { answered, reviewOperation } from './operation-object.ts';

/** POST on `selfsubjectrulesreviews`: everything that the caller may do in a namespace. */
export async function reviewOwnRules(
  request: ApiRequest,
  services: ReviewServices & { readonly authorizer: Authorizer },
): Promise<ApiResult> {
  const object: SelfSubjectRulesReview = await reviewOperation(request, services);
  const namespace = object.spec?.namespace ?? '';
  if (namespace === '') throw badRequest('no namespace on request');
  const { rules, incomplete, evaluationError } = services.authorizer.rulesFor(request.user, namespace);
  const isAboutPaths = (rule: PolicyRule) => rule.nonResourceURLs.length > 0;
  return answered(object, {
    resourceRules: rules.filter(rule => !isAboutPaths(rule)).map(resourceRule),
    nonResourceRules: rules.filter(isAboutPaths).map(rule => ({
      verbs: [...rule.verbs],
      nonResourceURLs: [...rule.nonResourceURLs],
    })),
    incomplete,
    ...(evaluationError === '' ? {} : { evaluationError }),
  });
}

function resourceRule({ verbs, apiGroups, resources, resourceNames }: PolicyRule): JsonObject {
  return {
    verbs: [...verbs],
    apiGroups: [...apiGroups].flatMap(findAliases),
    resources: [...resources],
    ...(resourceNames.size === 0 ? {} : { resourceNames: [...resourceNames] }),
  };
}

/** The names of a group: its rules hold for both, and clients look for the one that they use. */
function findAliases(group: string): string[] {
  const alias = aliasOfGroup(group);
  return alias === undefined ? [group] : [group, alias];
}
