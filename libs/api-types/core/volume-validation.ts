import {
  duplicateField,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  type JsonObject,
  requiredField,
  validateDnsLabel,
} from '@binnacle/api-objects';
import { asObject, asText } from '../values/json-access.ts';
import { podVolumeSourceErrors } from './pod-volume-source-validation.ts';
import { volumeSources } from './volume-sources.ts';

/** The findings about the volumes of a pod: unique names, exactly one source each. */
export function volumeErrors(volumes: readonly JsonObject[], path: FieldPath): FieldError[] {
  const names = new Set<string>();
  return volumes.flatMap((volume, index) => {
    const at = path.index(index);
    const errors = sourceErrors(volume, at);
    const name = asText(volume['name']);
    if (name === '') errors.push(requiredField(at.child('name')));
    else errors.push(...validateDnsLabel(name).map(message => invalidField(at.child('name'), name, message)));
    if (names.has(name)) errors.push(duplicateField(at.child('name'), name));
    names.add(name);
    return errors;
  });
}

function sourceErrors(volume: JsonObject, path: FieldPath): FieldError[] {
  const sources = volumeSources().filter(source => volume[source] !== undefined && volume[source] !== null);
  if (sources.length === 0) return [requiredField(path, 'must specify a volume type')];
  return sources.flatMap((source, index) =>
    index === 0
      ? podVolumeSourceErrors(source, asObject(volume[source]) ?? {}, path.child(source))
      : [forbiddenField(path.child(source), 'may not specify more than 1 volume type')],
  );
}
