import { type FieldError, type FieldPath, forbiddenField, requiredField } from '@binnacle/api-objects';

/** The findings about access modes: at least one; the mode for a single pod goes with no other. */
export function accessModeErrors(modes: readonly string[], path: FieldPath): FieldError[] {
  if (modes.length === 0) return [requiredField(path, 'at least 1 access mode is required')];
  const isForOnePod = modes.includes('ReadWriteOncePod');
  return isForOnePod && modes.some(mode => mode !== 'ReadWriteOncePod')
    ? [forbiddenField(path, 'may not use ReadWriteOncePod with other access modes')]
    : [];
}
