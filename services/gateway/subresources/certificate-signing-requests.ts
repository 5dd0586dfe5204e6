import { equalJson, timestampFrom } from '@binnacle/api-objects';
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from '@binnacle/api-types/certificates/v1';
import type { ResourceVerbs } from '../request/api-request.ts';
import type { WriteServices } from '../write/engine/run-write.ts';
import { patchVerb } from '../write/patch.ts';
import { updateVerb } from '../write/update.ts';

/** `approval` of a certificate signing request: approves or denies it, and changes nothing else. */
export const approvalVerbs: ResourceVerbs<WriteServices> = {
  update: (request, services) => updateVerb(request, services, stampConditions),
  patch: (request, services) => patchVerb(request, services, stampConditions),
};

/** `status` of a certificate signing request: the certificate, and conditions other than the approval. */
export const signingStatusVerbs: ResourceVerbs<WriteServices> = approvalVerbs;

/** Fills in the times of conditions: the last update where the condition changed, the transition where its status did. */
function stampConditions(
  object: CertificateSigningRequest,
  old: CertificateSigningRequest,
  now: number,
): void {
  const before = new Map(old.status?.conditions?.map(condition => [condition.type, condition]));
  for (const condition of object.status?.conditions ?? []) {
    const earlier = before.get(condition.type ?? '');
    const isSame = earlier !== undefined && equalJson(withoutTimes(condition), withoutTimes(earlier));
    condition.lastUpdateTime ??= isSame ? (earlier.lastUpdateTime ?? null) : timestampFrom(now);
    const keepsStatus = earlier?.status === condition.status;
    condition.lastTransitionTime ??=
      (keepsStatus ? earlier?.lastTransitionTime : undefined) ?? timestampFrom(now);
  }
}

function withoutTimes({
  lastUpdateTime: _update,
  lastTransitionTime: _transition,
  ...rest
}: CertificateSigningRequestCondition) {
  return rest;
}
