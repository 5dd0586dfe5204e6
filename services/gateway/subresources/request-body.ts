import { type ApiObject, formatApiVersion, isJsonObject } from '@binnacle/api-objects';
import { applyFieldDefaults, messageNamed } from '@binnacle/api-types';
import {
  type BodyDefinition,
  decodeBody,
  decodeEnvelope,
  encodingFromMediaType,
  parseJson,
} from '@binnacle/codecs';
import { parseYaml } from '@binnacle/codecs/texts';
import type { ApiRequest } from '../request/api-request.ts';
import { noteSentObject, placeInNamespace } from '../write/request-object.ts';
import type { WriteOptions } from '../write/write-options.ts';

/** The body of a request to a subresource. */
interface SubresourceBody {
  readonly object: ApiObject;
  /** The apiVersion as the client wrote it: clients that use an alias of a group must be answered with it. */
  readonly apiVersion: string;
}

interface BodyOptions extends Pick<WriteOptions, 'fieldValidation'> {
  /** A version that clients from before the current one still send; the fields are the same. */
  readonly earlierVersion?: string;
}

/**
 * Decodes the body of a request to a subresource whose kind is not that of the resource, in the namespace of the request,
 * with its defaults filled in. Warnings go to the request.
 */
export async function decodeSubresourceBody(
  request: ApiRequest,
  { fieldValidation, earlierVersion }: BodyOptions,
): Promise<SubresourceBody> {
  const current = findBodyDefinition(request);
  const body = await request.body();
  const isEarlier =
    earlierVersion !== undefined &&
    (await sentApiVersion(body, request.contentType)) ===
      formatApiVersion({ group: current.group, version: earlierVersion });
  const definition = isEarlier ? { ...current, version: earlierVersion } : current;
  const { object, warnings } = await decodeBody(body, request.contentType, { definition, fieldValidation });
  request.warnings.push(...warnings);
  applyFieldDefaults(definition.message, object);
  placeInNamespace(request, object);
  noteSentObject(request, object);
  const sent = await sentApiVersion(body, request.contentType);
  return { object, apiVersion: sent || formatApiVersion(definition) };
}

/** The kind that the request's subresource has as its body; throws when it has no such subresource. */
export function findBodyDefinition({ definition, info }: ApiRequest): BodyDefinition {
  const subresource = definition.subresources.get(info.subresource);
  if (subresource === undefined) throw new Error(`no subresource ${info.subresource}`);
  const { kind, group = definition.group, version = definition.version } = subresource;
  const protoPackage = `${group === '' ? 'core' : group.split('.', 1)[0]}.${version}`;
  return { group, version, kind, message: messageNamed(`${protoPackage}.${kind}`) };
}

/** The body was decoded before: it can be read. */
async function sentApiVersion(body: Buffer, contentType: string): Promise<string> {
  const encoding = encodingFromMediaType(contentType);
  if (encoding === 'protobuf') return decodeEnvelope(body).apiVersion;
  const { value } = encoding === 'yaml' ? await parseYaml(body) : parseJson(body);
  const apiVersion = isJsonObject(value) ? value['apiVersion'] : undefined;
  return typeof apiVersion === 'string' ? apiVersion : '';
}
