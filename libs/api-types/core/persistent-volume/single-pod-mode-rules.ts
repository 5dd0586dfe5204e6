import { type ApiObject, type FieldError, fieldPath, notSupportedField } from '@binnacle/api-objects';
import type { ConditionalRules } from '../../definitions/gated-rules.ts';

/** A volume or a claim. */
interface Accessed extends ApiObject {
  spec?: { accessModes?: string[] };
}

const mode = 'ReadWriteOncePod';
const others = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce'];

/** The rules of volumes and claims while ReadWriteOncePod is disabled; objects that use it keep it. */
export const singlePodModeRules: ConditionalRules<Accessed> = {
  validateCreate: findings,
  validateUpdate: (object, old, subresource) => (subresource !== '' || hasMode(old) ? [] : findings(object)),
};

function findings(object: Accessed): FieldError[] {
  return hasMode(object) ? [notSupportedField(fieldPath('spec', 'accessModes'), mode, others)] : [];
}

function hasMode({ spec }: Accessed): boolean {
  return spec?.accessModes?.includes(mode) === true;
}
