import { understood } from '@binnacle/api-names';
import {
  type FieldError,
  type FieldPath,
  invalidField,
  requiredField,
  tooLongField,
  validateDnsSubdomain,
} from '@binnacle/api-objects';

/** A domain of 253 characters, a slash, and a path of a namespace, a dot and a name. */
const maxLength = 253 + 1 + 63 + 1 + 253;

/** The findings about the name of a signer: a domain of two parts or more, a slash, and a path. */
export function signerNameErrors(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [requiredField(path)];
  if (understood.signers.legacyUnknown.includes(name))
    return [invalidField(path, name, 'the legacy signer takes no requests in this API version')];
  const [domain = '', ...segments] = name.split('/');
  if (segments.length === 0)
    return [invalidField(path, name, "must be a domain and a path of the form 'example.com/signer-name'")];
  const errors = validateDnsSubdomain(domain).map(message => invalidField(path, name, `domain: ${message}`));
  if (!domain.includes('.')) errors.push(invalidField(path, name, 'the domain must have two parts or more'));
  if (segments.length > 1)
    errors.push(invalidField(path, name, 'the path must be a single segment behind the slash'));
  else
    errors.push(
      ...validateDnsSubdomain(segments[0] ?? '').map(message => invalidField(path, name, `path: ${message}`)),
    );
  if (name.length > maxLength) errors.push(tooLongField(path, name, maxLength));
  return errors;
}
