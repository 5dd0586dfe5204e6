import type { PersistentVolumeClaimSpec } from '../../generated/core/v1.ts';
import { fractionalBytesNote } from '../resource-amounts/fractional-bytes.ts';

/** Returns warnings about the spec of a claim at a path, also within a template. */
export function claimSpecWarnings({ resources }: PersistentVolumeClaimSpec, path: string): string[] {
  return (['requests', 'limits'] as const).flatMap(kind => {
    const note = fractionalBytesNote(resources?.[kind]?.storage);
    return note === undefined ? [] : [`${path}.resources.${kind}[storage]: ${note}`];
  });
}
