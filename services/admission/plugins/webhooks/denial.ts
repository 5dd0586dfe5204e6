import type { JsonObject } from '@binnacle/api-objects';
import { decodeStatusError, StatusError } from '@binnacle/status-errors';

/** The refusal of a write that a webhook denied: code, reason and details are the webhook's, where it gave them. */
export function denial(webhook: string, status: JsonObject): StatusError {
  const { code, message } = status;
  const isErrorCode = typeof code === 'number' && Number.isInteger(code) && code >= 400 && code <= 599;
  // Read as any Status is, so that only what a Status can hold goes on to the client.
  const given = decodeStatusError(Buffer.from(JSON.stringify({ ...status, code: isErrorCode ? code : 400 })));
  const denied = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  const why = typeof message === 'string' && message !== '' ? message : given.reason;
  return new StatusError({
    reason: given.reason,
    code: given.code,
    message: why === '' ? `${denied} without explanation` : `${denied}: ${why}`,
    details: given.details,
  });
}
