import {
  duplicateField,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  requiredField,
  validateDnsLabel,
} from '@binnacle/api-objects';
import type { Volume } from '../../../generated/core/v1.ts';
import { volumeSourceErrors } from '../../volume/volume-source-validation.ts';
import { podVolumeSourceRules } from './pod-volume-source-rules.ts';
import { volumeSources } from './volume-sources.ts';

/** The findings about the volumes of a pod: unique names, exactly one source each. */
export function volumeErrors(volumes: readonly Volume[], path: FieldPath): FieldError[] {
  const names = new Set<string>();
  return volumes.flatMap((volume, index) => {
    const at = path.index(index);
    const errors = sourceErrors(volume, at);
    const name = volume.name ?? '';
    if (name === '') errors.push(requiredField(at.child('name')));
    else errors.push(...validateDnsLabel(name).map(message => invalidField(at.child('name'), name, message)));
    if (names.has(name)) errors.push(duplicateField(at.child('name'), name));
    names.add(name);
    return errors;
  });
}

function sourceErrors(volume: Volume, path: FieldPath): FieldError[] {
  const sources = volumeSources().filter(source => volume[source] !== undefined);
  if (sources.length === 0) return [requiredField(path, 'must specify a volume type')];
  return sources.flatMap((kind, index) =>
    index === 0
      ? volumeSourceErrors(podVolumeSourceRules, volume, { kind, path })
      : [forbiddenField(path.child(kind), 'may not specify more than 1 volume type')],
  );
}
