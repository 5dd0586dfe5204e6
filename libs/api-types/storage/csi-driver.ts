import {
  type ApiObject,
  duplicateField,
  equalJson,
  type FieldError,
  fieldPath,
  invalidField,
  notSupportedField,
  requiredField,
} from '@binnacle/api-objects';
import { csiDriverNameErrors } from '../core/csi-driver-name.ts';
import { specOf } from '../core/service-facts.ts';
import type { KindRules } from '../definitions/definitions.ts';
import { ageColumn, ageOf, column, joinedOrNone, nameColumn, nameOf } from '../printing/columns.ts';
import { asObjects, asText, asTexts, ensureObject } from '../values/json-access.ts';

/** The rules of CSIDriver objects: what a driver can do stays as created, what it wants to be told may change. */
export const csiDriverRules: KindRules = {
  unconditionalUpdate: false,
  returnsDeletedObject: true,
  applyDefaults(object) {
    const spec = ensureObject(object, 'spec');
    if (asTexts(spec['volumeLifecycleModes']).length === 0) spec['volumeLifecycleModes'] = ['Persistent'];
  },
  prepareForUpdate,
  validate,
  validateUpdate: immutableErrors,
  columns: [
    nameColumn,
    column('AttachRequired', 'Whether volumes are attached to nodes.', { type: 'boolean' }),
    column('PodInfoOnMount', 'Whether the driver is told of the pod.', { type: 'boolean' }),
    column('StorageCapacity', 'Whether the driver reports its capacity.', { type: 'boolean' }),
    column('TokenRequests', 'The audiences of the tokens that the driver gets.'),
    column('RequiresRepublish', 'Whether the driver is called again and again.', { type: 'boolean' }),
    column('Modes', 'The lives that volumes of the driver may have.'),
    ageColumn,
  ],
  cells: (object, now) => {
    const spec = specOf(object);
    const audiences = asObjects(spec['tokenRequests']).map(({ audience }) => asText(audience));
    return [
      nameOf(object),
      spec['attachRequired'] !== false,
      spec['podInfoOnMount'] === true,
      spec['storageCapacity'] === true,
      audiences.length === 0 ? '<unset>' : audiences.join(','),
      spec['requiresRepublish'] === true,
      joinedOrNone(asTexts(spec['volumeLifecycleModes'])),
      ageOf(object, now),
    ];
  },
};

const changeable = ['tokenRequests', 'requiresRepublish', 'seLinuxMount'];
const fixed = ['attachRequired', 'fsGroupPolicy', 'podInfoOnMount', 'volumeLifecycleModes'];
const groupPolicies = ['ReadWriteOnceWithFSType', 'File', 'None'];
const lifecycleModes = ['Persistent', 'Ephemeral'];
const shortestToken = 600;
const longestToken = 2 ** 32;

/** Generation counts the changes of what the driver wants to be told. */
function prepareForUpdate(object: ApiObject, old: ApiObject): void {
  const [spec, oldSpec] = [specOf(object), specOf(old)];
  if (changeable.some(field => !equalJson(spec[field] ?? null, oldSpec[field] ?? null)))
    object.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

function validate(object: ApiObject): FieldError[] {
  const path = fieldPath('spec');
  const spec = specOf(object);
  const policy = asText(spec['fsGroupPolicy']);
  return [
    ...csiDriverNameErrors(nameOf(object), fieldPath('metadata', 'name')),
    ...['attachRequired', 'podInfoOnMount', 'storageCapacity', 'requiresRepublish']
      .filter(field => typeof spec[field] !== 'boolean')
      .map(field => requiredField(path.child(field))),
    ...(groupPolicies.includes(policy)
      ? []
      : [notSupportedField(path.child('fsGroupPolicy'), policy, groupPolicies.toSorted())]),
    ...asTexts(spec['volumeLifecycleModes'])
      .filter(mode => !lifecycleModes.includes(mode))
      .map(mode => notSupportedField(path.child('volumeLifecycleModes'), mode, lifecycleModes.toSorted())),
    ...tokenRequestErrors(object),
  ];
}

function tokenRequestErrors(object: ApiObject): FieldError[] {
  const path = fieldPath('spec', 'tokenRequests');
  const audiences = new Set<string>();
  return asObjects(specOf(object)['tokenRequests']).flatMap((request, index) => {
    const audience = asText(request['audience']);
    const seconds = request['expirationSeconds'];
    const errors: FieldError[] = [];
    if (audiences.has(audience)) errors.push(duplicateField(path.index(index).child('audience'), audience));
    audiences.add(audience);
    if (typeof seconds !== 'number' || (seconds >= shortestToken && seconds <= longestToken)) return errors;
    const range = `must be between ${shortestToken} and ${longestToken} seconds`;
    return [...errors, invalidField(path.index(index).child('expirationSeconds'), seconds, range)];
  });
}

function immutableErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const path = fieldPath('spec');
  const [spec, oldSpec] = [specOf(object), specOf(old)];
  return fixed
    .filter(field => !equalJson(spec[field] ?? null, oldSpec[field] ?? null))
    .map(field => invalidField(path.child(field), spec[field] ?? null, 'field is immutable'));
}
