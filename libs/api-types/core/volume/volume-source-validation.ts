import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
} from '@binnacle/api-objects';
import type {
  AzureDiskVolumeSource,
  FCVolumeSource,
  FlexVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  NFSVolumeSource,
  QuobyteVolumeSource,
} from '../../generated/core/v1.ts';
import { isInReservedDomain } from '../../group-names/reserved-domains.ts';
import { targetErrors } from './iscsi-validation.ts';
import { partitionErrors, unitErrors } from './unit-validation.ts';

/** Validation rules by source field; a source without a rule is always valid. */
export type SourceRules<Sources> = {
  readonly [Kind in keyof Sources]?: (source: NonNullable<Sources[Kind]>, path: FieldPath) => FieldError[];
};

/** The rules of sources common to pods and persistent volumes; required fields are validated elsewhere. */
export const sharedSourceRules = {
  awsElasticBlockStore: partitionErrors,
  azureDisk: azureDiskErrors,
  fc: fibreChannelErrors,
  flexVolume: flexErrors,
  flocker: flockerErrors,
  gcePersistentDisk: diskErrors,
  hostPath: climbErrors,
  iscsi: targetErrors,
  nfs: absolutePathErrors,
  quobyte: quobyteErrors,
};

/** Paths of validated sources in kube-apiserver's errors, where they differ from the field. */
const placeNames: Readonly<Record<string, string>> = { gcePersistentDisk: 'persistentDisk' };
/** Paths of superfluous sources in kube-apiserver's errors, where they differ from the field. */
const excessNames: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };

interface SourceCheck<Sources> {
  /** The source fields in order; of several the first counts. */
  readonly order: readonly (keyof Sources & string)[];
  readonly rules: SourceRules<Sources>;
  readonly path: FieldPath;
}

/** Validates sources of which exactly one must be set: reports errors of the first, and all further ones. */
export function exclusiveSourceErrors<Sources>(
  sources: Sources,
  { order, rules, path }: SourceCheck<Sources>,
): FieldError[] {
  const present = order.filter(kind => sources[kind] !== undefined);
  if (present.length === 0) return [requiredField(path, 'must specify a volume type')];
  return present.flatMap((kind, index) => {
    if (index > 0)
      return [
        forbiddenField(path.child(excessNames[kind] ?? kind), 'may not specify more than 1 volume type'),
      ];
    const rule = rules[kind];
    const source = sources[kind];
    return rule && source ? rule(source, path.child(placeNames[kind] ?? kind)) : [];
  });
}

/** Validates the path of a source, which must not contain `..`. */
export function climbErrors({ path: text = '' }: { readonly path?: string }, path: FieldPath): FieldError[] {
  return backstepErrors(text, path.child('path'));
}

/** Validates a path, which must not contain `..`. */
export function backstepErrors(text: string, path: FieldPath): FieldError[] {
  return text.split('/').includes('..') ? [invalidField(path, text, "must not contain '..'")] : [];
}

/** Validates a relative path that must not contain `..`. */
export function descendingPathErrors(text: string, path: FieldPath): FieldError[] {
  return [
    ...(text.startsWith('/') ? [invalidField(path, text, 'must be a relative path')] : []),
    ...backstepErrors(text, path),
  ];
}

function diskErrors(source: GCEPersistentDiskVolumeSource, path: FieldPath): FieldError[] {
  return [
    ...((source.pdName ?? '') === '' ? [requiredField(path.child('pdName'))] : []),
    ...partitionErrors(source, path),
  ];
}

function absolutePathErrors({ path: text = '' }: NFSVolumeSource, path: FieldPath): FieldError[] {
  return text.startsWith('/') ? [] : [invalidField(path.child('path'), text, 'must be an absolute path')];
}

/** A fibre channel volume needs either targets and a unit, or volume ids. */
function fibreChannelErrors(source: FCVolumeSource, path: FieldPath): FieldError[] {
  const hasTargets = (source.targetWWNs ?? []).length > 0;
  const hasOwnNames = (source.wwids ?? []).length > 0;
  const either = 'must specify either targetWWNs or wwids, but not both';
  if (!hasTargets && !hasOwnNames) return [requiredField(path.child('targetWWNs'), either)];
  const errors: FieldError[] = [];
  if (hasTargets && hasOwnNames)
    errors.push(invalidField(path.child('targetWWNs'), source.targetWWNs, either));
  if (hasTargets && source.lun === undefined)
    errors.push(requiredField(path.child('lun'), 'lun is required if targetWWNs is specified'));
  return hasTargets ? [...errors, ...unitErrors(source, path)] : errors;
}

function flockerErrors(source: FlockerVolumeSource, path: FieldPath): FieldError[] {
  const { datasetName: name = '', datasetUUID: uuid = '' } = source;
  const errors: FieldError[] = [];
  if (name === '' && uuid === '')
    errors.push(requiredField(path, 'one of datasetName and datasetUUID is required'));
  if (name !== '' && uuid !== '')
    errors.push(
      invalidField(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'),
    );
  if (name.includes('/')) errors.push(invalidField(path.child('datasetName'), name, "must not contain '/'"));
  return errors;
}

const managedUri =
  '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const blobUri = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

/** A managed disk is identified by its resource path, an unmanaged one by its URL. */
function azureDiskErrors({ kind, diskURI: uri = '' }: AzureDiskVolumeSource, path: FieldPath): FieldError[] {
  if (kind === undefined) return [];
  const [begin, form] = kind === 'Managed' ? ['/subscriptions/', managedUri] : ['https://', blobUri];
  return uri.startsWith(begin) ? [] : [notSupportedField(path.child('diskURI'), uri, [form])];
}

/** Option names in the API's own domains are reserved. */
function flexErrors({ options = {} }: Pick<FlexVolumeSource, 'options'>, path: FieldPath): FieldError[] {
  return Object.keys(options)
    .filter(option => isInReservedDomain(option.split('/', 1)[0]!.toLowerCase())) // Every text has a first part.
    .map(option =>
      invalidField(path.child('options').key(option), option, 'the namespaces of the cluster are reserved'),
    );
}

const longestTenant = 64;

function quobyteErrors({ registry = '', tenant = '' }: QuobyteVolumeSource, path: FieldPath): FieldError[] {
  if (registry === '') return [];
  if (tenant.length > longestTenant)
    return [
      requiredField(
        path.child('tenant'),
        `must be a UUID and may not exceed a length of ${longestTenant} characters`,
      ),
    ];
  return registry
    .split(',')
    .filter(pair => !/^(?:[^:[\]]*|\[[^[\]]*\]):[^:[\]]*$/.test(pair))
    .map(() =>
      invalidField(
        path.child('registry'),
        registry,
        'must be a host:port pair or multiple pairs separated by commas',
      ),
    );
}
