import {
  type ApiObject,
  duplicateField,
  type FieldError,
  fieldPath,
  invalidField,
} from '@binnacle/api-objects';
import type { KindRules } from '../definitions/definitions.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';
import { asNumber, asObject, asObjects, asText } from '../values/json-access.ts';

/** The rules of Beacon objects: a range that light can have, lamps with names of their own, a colour that stays. */
export const beaconRules: KindRules = {
  generation: true,
  validate,
  validateUpdate,
  columns: [
    nameColumn,
    column('Range', 'How far away it can be seen, in nautical miles.', { type: 'integer' }),
    column('Colour', 'The colour of its light.'),
    ageColumn,
  ],
  cells: (object, now) => [
    nameOf(object),
    asNumber(specOf(object)['range']),
    asText(specOf(object)['colour']),
    ageOf(object, now),
  ],
};

/** Beyond this the light is behind the horizon. */
const longestRange = 30;

const specPath = fieldPath('spec');

function validate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = [];
  const range = asNumber(specOf(object)['range']);
  // A range of 0 is one that was not set, which the definition of the field refuses.
  if (range < 0 || range > longestRange)
    errors.push(invalidField(specPath.child('range'), range, `must be from 1 to ${longestRange}`));
  const names = new Set<string>();
  for (const [index, lamp] of asObjects(specOf(object)['lamps']).entries()) {
    const name = asText(lamp['name']);
    if (names.has(name))
      errors.push(duplicateField(specPath.child('lamps').index(index).child('name'), name));
    names.add(name);
  }
  return errors;
}

function validateUpdate(object: ApiObject, old: ApiObject, subresource: string): FieldError[] {
  const { colour = null } = specOf(object);
  if (subresource !== '' || colour === specOf(old)['colour']) return [];
  return [invalidField(specPath.child('colour'), colour, 'field is immutable')];
}

function specOf(object: ApiObject) {
  return asObject(object['spec']) ?? {};
}
