import type { ApiResult } from '../request/api-request.ts';

/** The answer of a subresource that has no content to return: a Status of success. */
export function createdStatus(): ApiResult {
  const object = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
  return { kind: 'object', code: 201, object };
}
