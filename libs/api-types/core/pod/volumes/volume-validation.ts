import {
  duplicateField,
  type FieldError,
  type FieldPath,
  invalidField,
  requiredField,
  validateDnsLabel,
} from '@binnacle/api-objects';
import type { Volume } from '../../../generated/core/v1.ts';
import { interfaceMessage, longestInterface } from '../../volume/iscsi-validation.ts';
import { exclusiveSourceErrors } from '../../volume/volume-source-validation.ts';
import { podVolumeSourceRules } from './pod-volume-source-rules.ts';
import { volumeSources } from './volume-sources.ts';

/** Validates the volumes of a pod: unique names, exactly one source each. */
export function volumeErrors(volumes: readonly Volume[], path: FieldPath): FieldError[] {
  const names = new Set<string>();
  return volumes.flatMap((volume, index) => {
    const at = path.index(index);
    const errors = exclusiveSourceErrors(volume, {
      order: volumeSources,
      rules: podVolumeSourceRules,
      path: at,
    });
    const name = volume.name ?? '';
    errors.push(...nameErrors(name, volume, at.child('name')));
    if (names.has(name)) errors.push(duplicateField(at.child('name'), name));
    names.add(name);
    return errors;
  });
}

function nameErrors(name: string, volume: Volume, path: FieldPath): FieldError[] {
  if (name === '') return [requiredField(path)];
  const errors = validateDnsLabel(name).map(message => invalidField(path, name, message));
  const { iscsi } = volume;
  if (iscsi?.initiatorName !== undefined && `${name}:${iscsi.targetPortal ?? ''}`.length > longestInterface)
    errors.push(invalidField(path, name, interfaceMessage));
  return errors;
}
