import { type FieldError, type FieldPath, invalidField, requiredField } from '@binnacle/api-objects';
import type { ISCSIVolumeSource } from '../../generated/core/v1.ts';
import { unitErrors } from './unit-validation.ts';

/** Maximum total length of volume name and portal, in characters, if the initiator is named: together they name an interface. */
export const longestInterface = 64;

/** The error for a name and portal that exceed it. */
export const interfaceMessage =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';

/** Maximum length of a name in characters (RFC 7143 allows 223 bytes); bounds the non-linear time of the patterns. */
const longestName = 1024;

/** The three formats of target and initiator names, by prefix. */
const forms: readonly (readonly [begin: string, form: RegExp])[] = [
  ['iqn', /iqn\.\d{4}-\d{2}\.([A-Za-z0-9\-.]+)(:[^,;*&$|\s]+)$/],
  ['eui', /^eui.[A-Za-z0-9]{16}$/],
  ['naa', /^naa.[A-Za-z0-9]{32}$/],
];

/** The common fields of iSCSI sources. */
type Target = Omit<ISCSIVolumeSource, 'secretRef'> & { readonly secretRef?: { readonly name?: string } };

/** Validates an iSCSI target; required fields are validated elsewhere. */
export function targetErrors(source: Target, path: FieldPath): FieldError[] {
  const { iqn = '', initiatorName, lun, chapAuthDiscovery, chapAuthSession, secretRef } = source;
  return [
    ...(iqn === '' ? [] : nameErrors(iqn, path.child('iqn'))),
    ...unitErrors({ ...(lun !== undefined && { lun }) }, path),
    ...((chapAuthDiscovery || chapAuthSession) && !secretRef ? [requiredField(path.child('secretRef'))] : []),
    // kube-apiserver writes this path in lower case.
    ...(initiatorName === undefined ? [] : nameErrors(initiatorName, path.child('initiatorname'))),
  ];
}

function nameErrors(name: string, path: FieldPath): FieldError[] {
  const form = forms.find(([begin]) => name.startsWith(begin));
  if (!form) return [invalidField(path, name, 'must be valid format starting with iqn, eui, or naa')];
  const isOfForm = name.length <= longestName && form[1].test(name);
  return isOfForm ? [] : [invalidField(path, name, 'must be valid format')];
}
