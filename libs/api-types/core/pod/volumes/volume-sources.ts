import { messageNamed } from '../../../descriptors/messages.ts';
import type { VolumeSource } from '../../../generated/core/v1.ts';

let sources: readonly (keyof VolumeSource)[] | undefined;

/** The fields of a volume that say where its content comes from; exactly one of them is set. */
export function volumeSources(): readonly (keyof VolumeSource)[] {
  // The type is generated from the message: its keys are the names of the fields.
  sources ??= [
    ...messageNamed('cluster.io.api.core.v1.VolumeSource').fields.keys(),
  ] as (keyof VolumeSource)[];
  return sources;
}
