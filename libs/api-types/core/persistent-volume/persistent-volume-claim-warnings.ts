import type { PersistentVolumeClaimSpec } from '../../generated/core/v1.ts';
import { fractionalBytesWarnings } from '../resource-amounts/fractional-bytes.ts';

/** Warnings about the spec of a claim, also within a template, at a path. */
export function claimSpecWarnings({ resources }: PersistentVolumeClaimSpec, path: string): string[] {
  return (['requests', 'limits'] as const).flatMap(kind =>
    fractionalBytesWarnings(resources?.[kind]?.storage, `${path}.resources.${kind}[storage]`),
  );
}
