import { understood } from '@binnacle/api-names';
import type { PersistentVolumeSpec } from '../../generated/core/v1.ts';

const shortModes: readonly (readonly [mode: string, short: string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

/** Formats access modes in their short forms, in a fixed order. */
export function accessModesText(modes: PersistentVolumeSpec['accessModes']): string {
  const present: ReadonlySet<string> = new Set(modes);
  return shortModes.flatMap(([mode, short]) => (present.has(mode) ? [short] : [])).join(',');
}

/** Returns the storage amount; '' if there is none. */
export function storageText(amounts: PersistentVolumeSpec['capacity']): string {
  return amounts?.storage ?? '';
}

/** Returns the storage class of a volume or claim: that of the beta annotation, otherwise of the field. */
export function storageClassText(
  annotations: Readonly<Record<string, string>> | undefined,
  name = '',
): string {
  const annotated = understood.annotations.storageClassBeta
    .map(key => annotations?.[key])
    .find(value => value !== undefined);
  return annotated ?? name;
}
