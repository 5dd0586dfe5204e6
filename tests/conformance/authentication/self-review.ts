import type { JsonObject } from '@binnacle/api-objects';
import { type CertifiedRequest, certifiedRequest } from '../drivers/certified-requests.ts';
import type { Answer, ConformanceServer } from '../drivers/conformance-server.ts';

const path = '/apis/authentication.cluster.io/v1alpha1/selfsubjectreviews';
const body = { apiVersion: 'authentication.cluster.io/v1alpha1', kind: 'SelfSubjectReview' };

/** Asks a server that serves self reviews who it takes the client for. */
export function selfReview(
  server: ConformanceServer,
  request: Pick<CertifiedRequest, 'headers' | 'certificate'>,
): Promise<Answer> {
  return certifiedRequest(server, { method: 'POST', path, body, ...request });
}

/** The user that a server that serves self reviews takes the client for. */
export async function whoIs(
  server: ConformanceServer,
  request: Pick<CertifiedRequest, 'headers' | 'certificate'>,
): Promise<JsonObject> {
  const answer = await selfReview(server, request);
  if (answer.code !== 201) throw new Error(`a self review is answered with ${answer.code}: ${answer.text}`);
  return answer.at('status', 'userInfo') as JsonObject; // Of a review that was answered.
}

/** The header of a bearer token. */
export function bearer(token: string): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` };
}
