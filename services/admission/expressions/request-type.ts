import { type CelType, type ObjectField, type ObjectType, types } from '@binnacle/cel';

/** The type of `request` in the expressions of policies: an AdmissionRequest without its uid and its objects. */
export const requestType: CelType = createType('AdmissionRequest', {
  kind: kindType(),
  resource: resourceType(),
  subResource: types.string,
  requestKind: kindType(),
  requestResource: resourceType(),
  requestSubResource: types.string,
  name: types.string,
  namespace: types.string,
  operation: types.string,
  userInfo: createType('UserInfo', {
    username: types.string,
    uid: types.string,
    groups: types.list(types.string),
    extra: types.map(types.string, types.list(types.string)),
  }),
  dryRun: types.bool,
  options: types.dyn,
});

function kindType(): CelType {
  return createType('GroupVersionKind', { group: types.string, version: types.string, kind: types.string });
}

function resourceType(): CelType {
  return createType('GroupVersionResource', {
    group: types.string,
    version: types.string,
    resource: types.string,
  });
}

/** Creates an object type whose members keep their names, reserved words included: existing expressions use `request.namespace`. */
function createType(name: string, members: Readonly<Record<string, CelType>>): ObjectType {
  const fields = new Map<string, ObjectField>(
    Object.entries(members).map(([member, type]) => [member, { type, member }]),
  );
  return { kind: 'object', name, field: field => fields.get(field) };
}
