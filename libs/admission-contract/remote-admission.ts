import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { readWrittenJson, writeLongJson } from '@binnacle/codecs/texts';
import type { AdmissionService } from '@binnacle/proto';
import { decodeStatusError } from '@binnacle/status-errors';
import type { Admission, WriteUnderReview } from './admission.ts';

const nothing = new Uint8Array(0);

/** Creates a client of admission in another process. */
export function remoteAdmission(service: AdmissionService): Admission {
  return {
    async review(write, call) {
      const { operation, kind, resource, requestGroup, subresource, namespace, name, user } = write;
      const { dryRun, isRetry } = write;
      const writing = write.json?.object() ?? encodeObject(write.object, write);
      const object = writing instanceof Promise ? await writing : writing;
      const writingOld = write.json?.oldObject() ?? encodeObject(write.oldObject, write);
      const oldObject = writingOld instanceof Promise ? await writingOld : writingOld;
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
          object,
          oldObject,
          options: Buffer.from(write.options),
          dryRun,
          isRetry,
        },
        call,
      );
      const { object: objectJson, refusal, ...remarks } = answer;
      return {
        ...remarks,
        refusal: refusal.length > 0 ? decodeStatusError(refusal) : undefined,
        ...(objectJson.length > 0
          ? { object: await objectFrom(objectJson), objectJson }
          : { object: undefined }),
      };
    },
  };
}

function encodeObject(
  object: ApiObject | undefined,
  { bytes }: WriteUnderReview,
): Uint8Array | Promise<Uint8Array> {
  if (object === undefined) return nothing;
  const writing = writeLongJson(object as JsonObject, bytes);
  return writing instanceof Promise ? writing.then(text => Buffer.from(text)) : Buffer.from(writing);
}

async function objectFrom(json: Uint8Array): Promise<ApiObject> {
  // Admission sends only objects, and has validated their content.
  const text = Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString();
  return (await readWrittenJson(text)) as JsonObject as ApiObject;
}
