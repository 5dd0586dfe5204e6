import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { readWrittenJson, writeLongJson } from '@binnacle/codecs/texts';
import type { AdmissionService } from '@binnacle/proto';
import { decodeStatusError } from '@binnacle/status-errors';
import type { Admission, WriteUnderReview } from './admission.ts';

const nothing = new Uint8Array(0);

/** Admission in another process, behind its service. */
export function remoteAdmission(service: AdmissionService): Admission {
  return {
    async review(write, call) {
      const { operation, kind, resource, requestGroup, subresource, namespace, name, user } = write;
      const { dryRun, isRetry } = write;
      const answer = await service.review(
        {
          operation,
          kind,
          resource,
          requestGroup: requestGroup === resource.group ? '' : requestGroup,
          subresource,
          namespace,
          name,
          user,
          object: await jsonOf(write.object, write),
          oldObject: write.oldObjectJson?.() ?? (await jsonOf(write.oldObject, write)),
          options: Buffer.from(write.options),
          dryRun,
          isRetry,
        },
        call,
      );
      const { object, refusal, ...remarks } = answer;
      return {
        ...remarks,
        object: object.length > 0 ? await objectFrom(object) : undefined,
        refusal: refusal.length > 0 ? decodeStatusError(refusal) : undefined,
      };
    },
  };
}

async function jsonOf(object: ApiObject | undefined, { bytes }: WriteUnderReview): Promise<Uint8Array> {
  return object === undefined ? nothing : Buffer.from(await writeLongJson(object as JsonObject, bytes));
}

async function objectFrom(json: Uint8Array): Promise<ApiObject> {
  // Admission sends objects only; what is in them was checked there.
  const text = Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString();
  return (await readWrittenJson(text)) as JsonObject as ApiObject;
}
