import {
  type FieldError,
  fieldPath,
  invalidField,
  isJsonObject,
  type JsonObject,
} from '@binnacle/api-objects';
import type { TypeRegistry } from '@binnacle/api-types';
import type { Access, Authorizer } from '../authorization/authorizer.ts';
import type { User } from '../request/api-request.ts';
import { textOf, textsOf } from './operation-object.ts';

/** What access reviews ask. */
export interface AccessReviewServices {
  readonly authorizer: Authorizer;
  readonly registry: TypeRegistry;
}

const specPath = fieldPath('spec');

/** The findings about what is asked for: exactly one of a resource and a path. */
export function attributeErrors(spec: JsonObject): FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec;
  const [asksResource, asksPath] = [isJsonObject(resourceAttributes), isJsonObject(nonResourceAttributes)];
  if (asksResource && asksPath)
    return [
      invalidField(
        specPath.child('nonResourceAttributes'),
        nonResourceAttributes,
        'cannot be given together with resourceAttributes',
      ),
    ];
  if (asksResource || asksPath) return [];
  const why = 'exactly one of resourceAttributes and nonResourceAttributes must be given';
  return [invalidField(specPath.child('resourceAttributes'), null, why)];
}

/** The findings about whose access is asked for. */
export function subjectErrors(spec: JsonObject): FieldError[] {
  if (textOf(spec['user']) !== '' || textsOf(spec['groups']).length > 0) return [];
  return [invalidField(specPath.child('user'), '', 'at least one of user or group must be specified')];
}

/** The findings about a question that is asked within a namespace: about that namespace only, and about resources only. */
export function namespaceErrors(spec: JsonObject, namespace: string): FieldError[] {
  const { resourceAttributes: attributes, nonResourceAttributes } = spec;
  const errors: FieldError[] = [];
  if (isJsonObject(attributes) && textOf(attributes['namespace']) !== namespace) {
    const path = specPath.child('resourceAttributes').child('namespace');
    errors.push(invalidField(path, attributes['namespace'] ?? '', 'must match metadata.namespace'));
  }
  if (isJsonObject(nonResourceAttributes)) {
    const path = specPath.child('nonResourceAttributes');
    errors.push(
      invalidField(path, nonResourceAttributes, 'a review within a namespace is about resources only'),
    );
  }
  return errors;
}

/** The user whom the spec of a review names, with exactly the groups that it gives. */
export function subjectOf(spec: JsonObject): User {
  const extra = isJsonObject(spec['extra']) ? spec['extra'] : {};
  return {
    username: textOf(spec['user']),
    uid: textOf(spec['uid']),
    groups: textsOf(spec['groups']),
    extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, textsOf(values)])),
  };
}

/** The status of a review: what the server's own authorizer says to the access that the spec describes. */
export function accessStatus(
  user: User,
  spec: JsonObject,
  { authorizer, registry }: AccessReviewServices,
): JsonObject {
  const access = accessOf(spec, group => registry.canonicalGroup(group));
  const { allowed, reason } = authorizer.authorize(user, access);
  return { allowed, ...(reason === '' ? {} : { reason }) };
}

function accessOf(spec: JsonObject, canonicalGroup: (group: string) => string): Access {
  const { resourceAttributes: resource, nonResourceAttributes: path } = spec;
  if (isJsonObject(path)) return { kind: 'path', verb: textOf(path['verb']), path: textOf(path['path']) };
  const attributes = isJsonObject(resource) ? resource : {};
  return {
    kind: 'resource',
    verb: textOf(attributes['verb']),
    group: canonicalGroup(textOf(attributes['group'])),
    resource: textOf(attributes['resource']),
    subresource: textOf(attributes['subresource']),
    namespace: textOf(attributes['namespace']),
    name: textOf(attributes['name']),
  };
}
