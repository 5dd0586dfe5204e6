import {
  type ApiObject,
  assertObjectSize,
  formatApiVersion,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectValueLimit,
  splitApiVersion,
} from '@binnacle/api-objects';
import {
  canonicalApiVersion,
  canonicalGroup,
  checkTypes,
  createTypeRegistry,
  messageNamed,
  type ResourceDefinition,
  type TypeCheck,
} from '@binnacle/api-types';
import { runAtOnce, runInSlices } from '@binnacle/event-loop';
import { badRequest, invalid, unsupportedMediaType } from '@binnacle/status-errors';
import { floatInIntegerField } from './integer-literals.ts';
import type { FloatLiteral } from './json/float-literals.ts';
import { type ParsedText, parseJson, parseJsonSteps } from './json/parse-json.ts';
import { acceptedMediaTypes, encodingFromMediaType } from './media-types.ts';
import { decodeEnvelope, decodeProtobuf } from './protobuf/envelope.ts';
import { decodeMessage } from './protobuf/message-decoder.ts';
import { parseYaml, parseYamlSteps } from './yaml.ts';

/** Treatment of unknown and duplicate fields: dropped silently, dropped with a warning each, or refused. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** Longer texts, in bytes, are checked in a separate time slice after parsing. */
const longBytes = 65_536;

/** The kind that a body must have. */
export type BodyDefinition = Pick<ResourceDefinition, 'group' | 'version' | 'kind' | 'message'>;

/** Target type of a body. */
interface DecodeTarget {
  readonly definition: BodyDefinition;
  readonly fieldValidation: FieldValidation;
  /** The caller bounds the number of values itself, relative to the object's previous state; default: false. */
  readonly mayBeLarge?: boolean;
}

/** A decoded object and the warnings for the client. */
export interface DecodedObject {
  readonly object: ApiObject;
  readonly warnings: string[];
  /** The object exceeds `objectValueLimit` and was not bounded, because `mayBeLarge` was set; default: false. */
  readonly isLarge?: boolean;
}

/**
 * Decodes a request body (JSON, YAML or protobuf by media type) to an object of the target's kind. kind and apiVersion are
 * optional, and apiVersion may use an alias of its group; the object has both in canonical form. Null counts as absent. Throws
 * BadRequest for malformed text, another kind, a value of the wrong type (with its path) and, under `Strict`, for unknown and
 * duplicate fields; UnsupportedMediaType for other media types; RequestEntityTooLarge for more values than `bodyValueLimit`, or
 * than `objectValueLimit` without managed fields.
 */
export function decodeBody(
  bytes: Uint8Array,
  mediaType: string,
  target: DecodeTarget,
): DecodedObject | Promise<DecodedObject> {
  // A generator costs as much memory as a short text.
  return encodingFromMediaType(mediaType) === 'json' && bytes.length > 0 && bytes.length <= longBytes
    ? checkSized(parseJson(bytes, unrecognizedText(target.definition)), target)
    : runInSlices(decodedSteps(bytes, mediaType, target));
}

/** Decodes a request body as `decodeBody` does, without yielding to other work; for command line programs. */
export function decodeBodyAtOnce(bytes: Uint8Array, mediaType: string, target: DecodeTarget): DecodedObject {
  return runAtOnce(decodedSteps(bytes, mediaType, target));
}

function* decodedSteps(
  bytes: Uint8Array,
  mediaType: string,
  target: DecodeTarget,
): Generator<void, DecodedObject> {
  const encoding = encodingFromMediaType(mediaType);
  const { definition } = target;
  switch (encoding) {
    case 'json':
    case 'yaml': {
      if (bytes.length === 0) throw unrecognized(definition, 'the body is empty');
      const parsed =
        encoding === 'json'
          ? yield* parseJsonSteps(bytes, unrecognizedText(definition))
          : yield* parseYamlSteps(bytes);
      if (bytes.length > longBytes) yield;
      return checkSized(parsed, target);
    }
    case 'protobuf': {
      if (definition.message.structure !== undefined)
        throw unsupportedMediaType(
          acceptedMediaTypes.filter(type => encodingFromMediaType(type) !== 'protobuf'),
        );
      const { kind, apiVersion, raw } = decodeEnvelope(bytes);
      assertKind(definition, { kind, apiVersion });
      const object = withTypeMeta(definition, decodeMessage(definition.message, raw));
      if (bytes.length > objectValueLimit) assertObjectSize(object);
      return { object, warnings: [] };
    }
    case undefined:
      throw unsupportedMediaType(acceptedMediaTypes);
  }
}

/** Checks a parsed body, and its number of values unless the caller bounds it. */
function checkSized(parsed: ParsedText, target: DecodeTarget): DecodedObject {
  const decoded = checkParsed(parsed, target);
  if (parsed.values <= objectValueLimit) return decoded;
  if (target.mayBeLarge === true) return { ...decoded, isLarge: true };
  assertObjectSize(decoded.object);
  return decoded;
}

/**
 * Checks the result of a patch in place, as `decodeBody` checks a body. Throws Invalid with the field `patch` if it has another
 * kind or a value of the wrong type, and RequestEntityTooLarge if, without managed fields, it has more values than
 * `objectValueLimit` and than the object before the patch (`before`).
 */
export function checkObject(
  definition: BodyDefinition,
  value: JsonValue,
  fieldValidation: FieldValidation,
  before?: JsonObject,
): DecodedObject {
  if (!isJsonObject(value)) throw invalidPatch(definition, '', 'the result is not an object');
  assertObjectSize(value, 'the object that the patch results in', before);
  const { metadata } = value;
  const name = isJsonObject(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : '';
  const wrong = kindMismatch(definition, value);
  if (wrong !== undefined) throw invalidPatch(definition, name, wrong);
  const check = checkTypes(definition.message, value);
  if (check.mismatch !== undefined)
    throw invalidPatch(definition, name, mismatchText(definition, check.mismatch));
  const findings = unknownFieldMessages(check);
  return {
    object: withTypeMeta(definition, value),
    warnings: judgeFindings(definition, findings, fieldValidation),
  };
}

/**
 * Decodes the options in a request body, such as DeleteOptions; an empty body is an empty object. Throws BadRequest for another
 * kind or a wrong type; drops unknown fields.
 */
export async function decodeOptions(
  bytes: Uint8Array,
  mediaType: string,
  kind: 'DeleteOptions',
): Promise<JsonObject> {
  if (bytes.length === 0) return {};
  const message = messageNamed(`meta.v1.${kind}`);
  const encoding = encodingFromMediaType(mediaType);
  if (encoding === undefined) throw unsupportedMediaType(acceptedMediaTypes);
  const parsed = encoding === 'protobuf' ? undefined : await parseText(encoding, bytes);
  const value = parsed === undefined ? decodeProtobuf(bytes, message).object : parsed.value;
  if (!isJsonObject(value)) throw badRequest(`the body is not a ${kind}: it must be an object`);
  const { kind: sent = kind } = value;
  if (sent !== kind && sent !== '')
    throw badRequest(`the body is not a ${kind}: its kind is ${JSON.stringify(sent)}`);
  const mismatch =
    checkTypes(message, value).mismatch ?? floatInIntegerField(message, parsed?.floats() ?? []);
  if (mismatch !== undefined) throw badRequest(mismatchText({ kind, version: 'v1' }, mismatch));
  return value;
}

async function parseText(encoding: 'json' | 'yaml', bytes: Uint8Array): Promise<ParsedText> {
  return encoding === 'json' ? parseJson(bytes) : await parseYaml(bytes);
}

function checkParsed(parsed: ParsedText, target: DecodeTarget): DecodedObject {
  const { definition, fieldValidation } = target;
  // A null body has no fields.
  const value = parsed.value === null ? {} : parsed.value;
  if (!isJsonObject(value)) throw unrecognized(definition, 'it must be an object');
  assertKind(definition, value);
  const check = checkTypes(definition.message, value);
  const mismatch = check.mismatch ?? floatMismatch(definition, parsed.floats);
  if (mismatch !== undefined) throw badRequest(mismatchText(definition, mismatch));
  const complete = parsed.members === check.members || fieldValidation === 'Ignore';
  const duplicates = complete ? [] : parsed.duplicates(check.unknownFields);
  const unknown = unknownFieldMessages(check);
  // The YAML parser finds duplicate fields before the type check finds unknown ones.
  const findings = parsed.members === undefined ? [...duplicates, ...unknown] : [...unknown, ...duplicates];
  return {
    object: withTypeMeta(definition, value),
    warnings: judgeFindings(definition, findings, fieldValidation),
  };
}

/** Finds a float in an integer field of a built-in kind; custom resources accept every whole number as an integer. */
function floatMismatch(
  { message }: BodyDefinition,
  floats: () => readonly FloatLiteral[],
): TypeCheck['mismatch'] {
  return message.structure === undefined ? floatInIntegerField(message, floats()) : undefined;
}

/** Throws Invalid with the field `patch` if a patch writes a float to an integer field. */
export function assertPatchedIntegers(
  definition: BodyDefinition,
  value: JsonValue,
  floats: () => readonly FloatLiteral[],
): void {
  const mismatch = floatMismatch(definition, floats);
  if (mismatch === undefined) return;
  const metadata = isJsonObject(value) ? value['metadata'] : undefined;
  const name = isJsonObject(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : '';
  throw invalidPatch(definition, name, mismatchText(definition, mismatch));
}

function unknownFieldMessages(check: TypeCheck): string[] {
  return check.unknownFields.map(path => `unknown field ${JSON.stringify(path)}`);
}

/**
 * Applies the field validation mode to its findings: returns them as warnings under `Warn`; throws BadRequest with all of them
 * under `Strict` (spec 1, "Field validation").
 */
export function judgeFindings(
  definition: BodyDefinition,
  findings: string[],
  fieldValidation: FieldValidation,
): string[] {
  if (findings.length === 0 || fieldValidation === 'Ignore') return [];
  if (fieldValidation === 'Warn') return findings;
  throw badRequest(`${cannotBeHandled(definition)}: strict decoding error: ${findings.join(', ')}`);
}

function assertKind(definition: BodyDefinition, object: JsonObject): void {
  const wrong = kindMismatch(definition, object);
  if (wrong === undefined) return;
  const { apiVersion, kind, metadata } = object;
  // For a kind with a schema, a wrong kind is reported like an error of any other field.
  const saysKind = typeof kind === 'string' && kind !== '';
  if (definition.message.structure !== undefined && saysKind && apiVersion === formatApiVersion(definition)) {
    const name = isJsonObject(metadata) ? metadata['name'] : '';
    const cause = {
      reason: 'FieldValueInvalid',
      field: 'kind',
      message: `Invalid value: ${JSON.stringify(kind)}: must be ${definition.kind}`,
    };
    throw invalid({ group: definition.group, kind }, typeof name === 'string' ? name : '', [cause]);
  }
  throw badRequest(wrong);
}

function kindMismatch(definition: BodyDefinition, object: JsonObject): string | undefined {
  const { kind = null, apiVersion = null } = object;
  const expected = formatApiVersion(definition);
  // Custom resources must state both: nothing else distinguishes them from other kinds.
  if (definition.message.structure !== undefined)
    for (const [key, value] of [
      ['kind', kind],
      ['apiVersion', apiVersion],
    ] as const)
      if (typeof value !== 'string' || value === '')
        return `the object has no ${key}, which must be a string`;
  const kindIsFine = kind === null || kind === '' || kind === definition.kind;
  const versionIsFine =
    apiVersion === null || apiVersion === '' || apiVersion === expected || isAlias(apiVersion, expected);
  if (kindIsFine && versionIsFine) return undefined;
  const sentKind = typeof kind === 'string' && kind !== '' ? kind.slice(0, 128) : definition.kind;
  const sentVersion =
    typeof apiVersion === 'string' && apiVersion !== '' ? apiVersion.slice(0, 128) : expected;
  const why = isKnown(sentVersion, sentKind)
    ? `the request is about ${definition.kind} in version ${JSON.stringify(expected)}`
    : `there is no kind ${JSON.stringify(sentKind)} in version ${JSON.stringify(sentVersion)}`;
  return `${sentKind} in version ${JSON.stringify(sentVersion)} cannot be handled as a ${definition.kind}: ${why}`;
}

function isKnown(apiVersion: string, kind: string): boolean {
  const { group, version } = splitApiVersion(apiVersion);
  return createTypeRegistry().kind(canonicalGroup(group), version, kind) !== undefined;
}

function isAlias(apiVersion: JsonValue, expected: string): boolean {
  return typeof apiVersion === 'string' && canonicalApiVersion(apiVersion) === expected;
}

/** Sets kind and apiVersion to those of the definition, and metadata to {} if it is absent. */
function withTypeMeta(definition: BodyDefinition, object: JsonObject): ApiObject {
  object['kind'] = definition.kind;
  object['apiVersion'] = formatApiVersion(definition);
  object['metadata'] ??= {};
  return object as ApiObject; // The type check has validated its contents.
}

function mismatchText(
  definition: { readonly kind: string; readonly version: string },
  mismatch: NonNullable<TypeCheck['mismatch']>,
): string {
  const field = `${definition.kind}.${mismatch.path.slice(0, 1024)}`;
  if (mismatch.found.startsWith('illegal'))
    return `${cannotBeHandled(definition)}: ${mismatch.found} of field ${field}`;
  return `${cannotBeHandled(definition)}: json: cannot unmarshal ${mismatch.found} into field ${field} of type ${mismatch.expected}`;
}

function cannotBeHandled(definition: { readonly kind: string; readonly version: string }): string {
  return `${definition.kind} in version ${JSON.stringify(definition.version)} cannot be handled as a ${definition.kind}`;
}

function unrecognizedText(definition: BodyDefinition): string {
  return `the object provided is unrecognized (must be of type ${definition.kind})`;
}

function unrecognized(definition: BodyDefinition, why: string) {
  return badRequest(`${unrecognizedText(definition)}: ${why}`);
}

function invalidPatch(definition: BodyDefinition, name: string, message: string) {
  const cause = { reason: 'FieldValueInvalid', field: 'patch', message: `Invalid value: ${message}` };
  return invalid({ group: definition.group, kind: definition.kind }, name, [cause]);
}
