import { type FieldError, type FieldPath, invalidField, requiredField } from '@binnacle/api-objects';
import type { ISCSIVolumeSource } from '../../generated/core/v1.ts';
import { unitErrors } from './unit-validation.ts';

/** Most characters of a volume's name and its portal together, where the initiator is named: they name an interface. */
export const longestInterface = 64;

/** The finding about a name and a portal that are longer together. */
export const interfaceMessage =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';

/** Longer names are refused: no target has one (RFC 7143 allows 223 bytes), and the forms take more than linear time. */
const longestName = 1024;

/** The three kinds of names that a target or an initiator can have, by how they begin. */
const forms: readonly (readonly [begin: string, form: RegExp])[] = [
  ['iqn', /iqn\.\d{4}-\d{2}\.([A-Za-z0-9\-.]+)(:[^,;*&$|\s]+)$/],
  ['eui', /^eui.[A-Za-z0-9]{16}$/],
  ['naa', /^naa.[A-Za-z0-9]{32}$/],
];

/** The facts of a target, whatever holds its secret. */
type Target = Omit<ISCSIVolumeSource, 'secretRef'> & { readonly secretRef?: { readonly name?: string } };

/** The findings about a target that is reached over the network; what it cannot do without is checked elsewhere. */
export function targetErrors(source: Target, path: FieldPath): FieldError[] {
  const { iqn = '', initiatorName, lun, chapAuthDiscovery, chapAuthSession, secretRef } = source;
  return [
    ...(iqn === '' ? [] : nameErrors(iqn, path.child('iqn'))),
    ...unitErrors({ ...(lun !== undefined && { lun }) }, path),
    ...((chapAuthDiscovery || chapAuthSession) && !secretRef ? [requiredField(path.child('secretRef'))] : []),
    // kube-apiserver writes this path without capitals.
    ...(initiatorName === undefined ? [] : nameErrors(initiatorName, path.child('initiatorname'))),
  ];
}

function nameErrors(name: string, path: FieldPath): FieldError[] {
  const form = forms.find(([begin]) => name.startsWith(begin));
  if (!form) return [invalidField(path, name, 'must be valid format starting with iqn, eui, or naa')];
  const isOfForm = name.length <= longestName && form[1].test(name);
  return isOfForm ? [] : [invalidField(path, name, 'must be valid format')];
}
