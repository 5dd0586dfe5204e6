import { asObject, asText, asTexts } from '../values/json-access.ts';

const shortModes: readonly (readonly [mode: string, short: string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

/** Writes access modes in their short forms, in a fixed order. */
export function accessModesText(modes: unknown): string {
  const present = new Set(asTexts(modes));
  return shortModes.flatMap(([mode, short]) => (present.has(mode) ? [short] : [])).join(',');
}

/** Writes the storage among amounts; '' when there is none. */
export function storageText(amounts: unknown): string {
  const storage = asObject(amounts)?.['storage'];
  return storage === undefined ? '' : String(storage);
}

/** The storage class of a volume or claim: an annotation of early days, or the field. */
export function storageClassText(
  annotations: Readonly<Record<string, string>> | undefined,
  name: unknown,
): string {
  const early = ['volume.beta.cluster.io/storage-class', 'volume.beta.kubernetes.io/storage-class'];
  const annotated = early.map(key => annotations?.[key]).find(value => value !== undefined);
  return annotated ?? asText(name);
}
