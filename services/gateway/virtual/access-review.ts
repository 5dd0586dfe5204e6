import { type FieldError, fieldPath, invalidField, type JsonObject } from '@binnacle/api-objects';
import type { TypeRegistry } from '@binnacle/api-types';
import type { SubjectAccessReviewSpec } from '@binnacle/api-types/authorization/v1';
import type { CallContext } from '@binnacle/proto';
import type { Access, Authorizer } from '../authorization/authorizer.ts';
import type { User } from '../request/api-request.ts';
import type { ReviewServices } from '../write/engine/review.ts';

/** The subject of an access review: a resource or a path. */
type AccessSpec = Pick<SubjectAccessReviewSpec, 'resourceAttributes' | 'nonResourceAttributes'>;

/** Services of access reviews. */
export interface AccessReviewServices extends ReviewServices {
  readonly authorizer: Authorizer;
  readonly registry: TypeRegistry;
}

const specPath = fieldPath('spec');

/** The errors in the access of a review: it must be exactly one of a resource and a path. */
export function attributeErrors(spec: AccessSpec): FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec;
  if (resourceAttributes && nonResourceAttributes)
    return [
      invalidField(
        specPath.child('nonResourceAttributes'),
        nonResourceAttributes,
        'cannot be given together with resourceAttributes',
      ),
    ];
  if (resourceAttributes || nonResourceAttributes) return [];
  const why = 'exactly one of resourceAttributes and nonResourceAttributes must be given';
  return [invalidField(specPath.child('resourceAttributes'), null, why)];
}

/** The errors in the subject of a review. */
export function subjectErrors(spec: SubjectAccessReviewSpec): FieldError[] {
  if ((spec.user ?? '') !== '' || (spec.groups ?? []).length > 0) return [];
  return [invalidField(specPath.child('user'), '', 'at least one of user or group must be specified')];
}

/** The findings about a question that is asked within a namespace: about that namespace only, and about resources only. */
export function namespaceErrors(spec: AccessSpec, namespace: string): FieldError[] {
  const { resourceAttributes: attributes, nonResourceAttributes } = spec;
  const errors: FieldError[] = [];
  if (attributes && (attributes.namespace ?? '') !== namespace) {
    const path = specPath.child('resourceAttributes').child('namespace');
    errors.push(invalidField(path, attributes.namespace ?? '', 'must match metadata.namespace'));
  }
  if (nonResourceAttributes) {
    const path = specPath.child('nonResourceAttributes');
    errors.push(
      invalidField(path, nonResourceAttributes, 'a review within a namespace is about resources only'),
    );
  }
  return errors;
}

/** The user whom the spec of a review names, with exactly the groups that it gives. */
export function userFromSpec(spec: SubjectAccessReviewSpec): User {
  const { user: username = '', uid = '', groups = [], extra = {} } = spec;
  return { username, uid, groups, extra };
}

/** The status of a review: the decision of the server's own authorizers on the access that the spec describes. */
export async function accessStatus(
  { user, spec, call }: { readonly user: User; readonly spec: AccessSpec; readonly call: CallContext },
  { authorizer, registry }: AccessReviewServices,
): Promise<JsonObject> {
  const access = accessFromSpec(spec, group => registry.canonicalGroup(group));
  const { verdict, reason, error } = await authorizer.authorize(user, access, call);
  return {
    allowed: verdict === 'allowed',
    ...(verdict === 'denied' && { denied: true }),
    ...(reason === '' ? {} : { reason }),
    ...(error && { evaluationError: error.message }),
  };
}

function accessFromSpec(spec: AccessSpec, canonicalGroup: (group: string) => string): Access {
  const { resourceAttributes = {}, nonResourceAttributes } = spec;
  if (nonResourceAttributes) {
    const { verb = '', path = '' } = nonResourceAttributes;
    return { kind: 'path', verb, path };
  }
  const {
    verb = '',
    group = '',
    version = '',
    resource = '',
    subresource = '',
    namespace = '',
    name = '',
  } = resourceAttributes;
  const canonical = canonicalGroup(group);
  return { kind: 'resource', verb, group: canonical, version, resource, subresource, namespace, name };
}
