import { duplicateField, type FieldError, fieldPath, invalidField } from '@binnacle/api-objects';
import type { KindRules } from '../definitions/kind-rules.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';
import type { Beacon } from './generated/v1.ts';

/** The rules of Beacon objects: a valid range, lamps with unique names, an immutable color. */
export const beaconRules: KindRules<Beacon> = {
  generation: true,
  validate,
  validateUpdate,
  columns: [
    nameColumn,
    column('Range', 'How far away it can be seen, in nautical miles.', { type: 'integer' }),
    column('Colour', 'The colour of its light.'),
    ageColumn,
  ],
  cells: (beacon, now) => [
    nameCell(beacon),
    beacon.spec?.range ?? 0,
    beacon.spec?.colour ?? '',
    ageCell(beacon, now),
  ],
};

/** Maximum range: beyond it the light is below the horizon. */
const longestRange = 30;

const specPath = fieldPath('spec');

function validate({ spec = {} }: Beacon): FieldError[] {
  const errors: FieldError[] = [];
  const { range = 0, lamps = [] } = spec;
  // A range of 0 counts as unset, which the field definition refuses.
  if (range < 0 || range > longestRange)
    errors.push(invalidField(specPath.child('range'), range, `must be from 1 to ${longestRange}`));
  const names = new Set<string>();
  for (const [index, { name = '' }] of lamps.entries()) {
    if (names.has(name))
      errors.push(duplicateField(specPath.child('lamps').index(index).child('name'), name));
    names.add(name);
  }
  return errors;
}

function validateUpdate(beacon: Beacon, old: Beacon, subresource: string): FieldError[] {
  const colour = beacon.spec?.colour ?? null;
  if (subresource !== '' || colour === (old.spec?.colour ?? null)) return [];
  return [invalidField(specPath.child('colour'), colour, 'field is immutable')];
}
