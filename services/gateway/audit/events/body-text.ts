import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseApiVersion,
  readJson,
} from '@binnacle/api-objects';
import { messageNamed } from '@binnacle/api-types';
import { decodeEnvelope, decodeProtobuf, encodingFromMediaType, parseJson } from '@binnacle/codecs';
import { parseYaml } from '@binnacle/codecs/texts';
import type { ResolvedResource } from '../../request/resolve-resource.ts';

/** The parts of bodies that are left out. */
export interface BodyOmissions {
  readonly managedFields: boolean;
  /** The bearer tokens of requests for tokens and of reviews of tokens. */
  readonly tokens: boolean;
}

/** A body as it was sent. */
interface SentBody {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** Whether the request succeeded, so that its body was parsed before. */
  readonly isValid: boolean;
  readonly resolved: ResolvedResource | undefined;
}

const omittedToken = '[omitted]';
const patchSuffix = /^application\/(json-patch|merge-patch|strategic-merge-patch)\+json$/;
const applyMediaType = 'application/apply-patch+yaml';

/**
 * A body as JSON of one line; undefined for one that is empty or cannot be read. JSON that the request was served with is not
 * parsed again, unless something is left out of it.
 */
export async function sentBodyText(body: SentBody, omissions: BodyOmissions): Promise<string | undefined> {
  if (body.bytes.length === 0) return undefined;
  const { bytes, contentType } = body;
  if (contentType === '' || encodingFromMediaType(contentType) === 'json' || patchSuffix.test(contentType)) {
    const text = bytes.toString();
    if (body.isValid) return bodyText(text, omissions);
    return isJson(bytes) ? bodyText(text, omissions) : undefined;
  }
  const value = await decoded(body).catch(() => undefined);
  return value === undefined ? undefined : JSON.stringify(reduced(value, omissions));
}

/** JSON text in one line, without what is to be left out. */
export function bodyText(text: string, omissions: BodyOmissions): string {
  const hasFields = omissions.managedFields && text.includes('"managedFields"');
  if (hasFields || omissions.tokens) return JSON.stringify(reduced(readJson(text), omissions));
  // In valid JSON line ends are white space; in texts they are escaped.
  return /[\r\n]/.test(text) ? text.replaceAll(/[\r\n]+/g, ' ') : text;
}

function isJson(bytes: Buffer): boolean {
  try {
    parseJson(bytes);
    return true;
  } catch {
    return false;
  }
}

async function decoded({ bytes, contentType, resolved }: SentBody): Promise<JsonValue | undefined> {
  if (contentType === applyMediaType || encodingFromMediaType(contentType) === 'yaml')
    return (await parseYaml(bytes)).value;
  if (encodingFromMediaType(contentType) !== 'protobuf' || resolved === undefined) return undefined;
  const { kind, apiVersion } = decodeEnvelope(bytes);
  return decodeProtobuf(bytes, findMessage(kind, apiVersion, resolved)).object;
}

function findMessage(kind: string, apiVersion: string, { definition }: ResolvedResource) {
  if (kind === definition.kind) return definition.message;
  const { group, version } = parseApiVersion(apiVersion);
  if (kind === 'DeleteOptions') return messageNamed('meta.v1.DeleteOptions');
  const folder = group === '' ? 'core' : group.split('.', 1)[0];
  return messageNamed(`${folder}.${version}.${kind}`);
}

/** Changes the value in place: no other code holds it. */
function reduced(value: JsonValue, omissions: BodyOmissions): JsonValue {
  if (!isJsonObject(value)) return value;
  if (omissions.tokens) for (const part of ['spec', 'status']) omitToken(value[part]);
  if (omissions.managedFields) {
    omitManagedFields(value);
    const { items, rows } = value;
    if (Array.isArray(items)) items.filter(isJsonObject).forEach(omitManagedFields);
    if (Array.isArray(rows))
      for (const row of rows)
        if (isJsonObject(row) && isJsonObject(row['object'])) omitManagedFields(row['object']);
  }
  return value;
}

function omitManagedFields({ metadata }: JsonObject): void {
  if (isJsonObject(metadata)) delete metadata['managedFields'];
}

function omitToken(part: JsonValue | undefined): void {
  if (isJsonObject(part) && part['token'] !== undefined) part['token'] = omittedToken;
}
