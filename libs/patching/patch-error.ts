import { StatusError } from '@binnacle/status-errors';

/** Error 422 without causes: the patch is well-formed but cannot be applied to this document. */
export function patchRejected(why: string): StatusError {
  const message = `the server rejected our request due to an error in our request: ${why}`;
  return new StatusError({ reason: 'Invalid', code: 422, message, details: {} });
}

/** Error 422 with the cause `patch`: the patch is malformed or contradicts itself. */
export function patchMalformed(why: string): StatusError {
  const causes = [{ reason: 'FieldValueInvalid', field: 'patch', message: `Invalid value: ${why}` }];
  const message = `patch: Invalid value: ${why}`;
  return new StatusError({ reason: 'Invalid', code: 422, message, details: { causes } });
}
