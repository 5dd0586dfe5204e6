import { type FieldError, type FieldPath, invalidField, requiredField } from '@binnacle/api-objects';
import type { FCVolumeSource, FlockerVolumeSource, NFSVolumeSource } from '../../generated/core/v1.ts';

/** The rules of sources of content, by the field of `Sources` that they stand in; a source without one is right as it is. */
export type SourceRules<Sources> = {
  readonly [Kind in keyof Sources]?: (source: NonNullable<Sources[Kind]>, path: FieldPath) => FieldError[];
};

/** The rules of sources that pods and persistent volumes have in common; what these cannot do without is checked elsewhere. */
export const sharedSourceRules = {
  awsElasticBlockStore: partitionErrors,
  fc: fibreChannelErrors,
  flocker: flockerErrors,
  gcePersistentDisk: partitionErrors,
  hostPath: climbErrors,
  iscsi: unitErrors,
  nfs: absolutePathErrors,
};

/** The findings about one of several sources: the one that stands in the field `kind`. */
export function volumeSourceErrors<Sources, Kind extends keyof Sources & string>(
  rules: SourceRules<Sources>,
  sources: Sources,
  { kind, path }: { readonly kind: Kind; readonly path: FieldPath },
): FieldError[] {
  const rule = rules[kind];
  const source = sources[kind];
  return rule && source ? rule(source, path.child(kind)) : [];
}

/** The findings about a path of the machine that must not climb. */
export function climbErrors({ path: text = '' }: { readonly path?: string }, path: FieldPath): FieldError[] {
  return backstepErrors(text, path.child('path'));
}

/** The findings about a path that must not climb. */
export function backstepErrors(text: string, path: FieldPath): FieldError[] {
  return text.split('/').includes('..') ? [invalidField(path, text, "must not contain '..'")] : [];
}

/** The findings about a path that must stay below where it begins. */
export function descendingPathErrors(text: string, path: FieldPath): FieldError[] {
  return [
    ...(text.startsWith('/') ? [invalidField(path, text, 'must be a relative path')] : []),
    ...backstepErrors(text, path),
  ];
}

function partitionErrors({ partition = 0 }: { partition?: number }, path: FieldPath): FieldError[] {
  return byteErrors(partition, path.child('partition'));
}

function unitErrors({ lun = 0 }: { lun?: number }, path: FieldPath): FieldError[] {
  return byteErrors(lun, path.child('lun'));
}

/** One byte holds the number of a partition or a unit. */
function byteErrors(number: number, path: FieldPath): FieldError[] {
  return number < 0 || number > 255
    ? [invalidField(path, number, 'must be between 0 and 255, inclusive')]
    : [];
}

function absolutePathErrors({ path: text = '' }: NFSVolumeSource, path: FieldPath): FieldError[] {
  return text === '' || text.startsWith('/')
    ? []
    : [invalidField(path.child('path'), text, 'must be an absolute path')];
}

/** A volume is found by the names of its targets and a unit, or by its own names. */
function fibreChannelErrors(source: FCVolumeSource, path: FieldPath): FieldError[] {
  const hasTargets = (source.targetWWNs ?? []).length > 0;
  const hasOwnNames = (source.wwids ?? []).length > 0;
  const either = 'must specify either targetWWNs or wwids, but not both';
  if (!hasTargets && !hasOwnNames) return [requiredField(path.child('targetWWNs'), either)];
  if (hasTargets && hasOwnNames) return [invalidField(path.child('targetWWNs'), source.targetWWNs, either)];
  if (!hasTargets) return [];
  return source.lun !== undefined
    ? unitErrors(source, path)
    : [requiredField(path.child('lun'), 'lun is required if targetWWNs is specified')];
}

function flockerErrors(source: FlockerVolumeSource, path: FieldPath): FieldError[] {
  const { datasetName: name = '', datasetUUID: uuid = '' } = source;
  if (name === '' && uuid === '')
    return [requiredField(path, 'one of datasetName and datasetUUID is required')];
  if (name !== '' && uuid !== '')
    return [
      invalidField(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'),
    ];
  return name.includes('/') ? [invalidField(path.child('datasetName'), name, "must not contain '/'")] : [];
}
