import { messageNamed } from '../descriptors/messages.ts';

let sources: readonly string[] | undefined;

/** The fields of a volume that say where its content comes from; exactly one of them is set. */
export function volumeSources(): readonly string[] {
  sources ??= [...messageNamed('cluster.io.api.core.v1.VolumeSource').fields.keys()];
  return sources;
}
