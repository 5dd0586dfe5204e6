import {
  copyJson,
  copyJsonSteps,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '@binnacle/api-objects';
import { type AliasNames, checkTypes } from '@binnacle/api-types';
import { type BodyDefinition, type FieldValidation, parseYaml } from '@binnacle/codecs';
import { isLong, restAfterStep, runInSlices } from '@binnacle/event-loop';
import { badRequest } from '@binnacle/status-errors';
import type { ApiRequest } from '../request/api-request.ts';

/** What a configuration is read against. */
interface AppliedTarget {
  readonly definition: BodyDefinition;
  readonly fieldValidation: FieldValidation;
  /** Names that a configuration may have in place of the own ones. */
  readonly names?: AliasNames | undefined;
}

/**
 * Reads the configuration that a request applies: the first document of its body, YAML or JSON, with the own names and
 * without the fields that its type does not have. Those and keys that occur twice are warnings of the request; throws BadRequest for them under
 * `Strict`, for text that is no object, and for another kind. The version and the types of values are for `apply` to check.
 */
export async function readApplied(
  request: Pick<ApiRequest, 'body' | 'warnings'>,
  { definition, fieldValidation, names }: AppliedTarget,
): Promise<JsonObject> {
  const bytes = await request.body();
  const { value: sent, duplicates } = await parseYaml(bytes);
  if (!isJsonObject(sent)) throw badRequest('error decoding YAML: the configuration is not an object');
  assertKind(definition, sent);
  const value = names === undefined ? sent : names.fromAlias(sent);
  const copy = isLong(bytes.length) ? await runInSlices(copyJsonSteps(value)) : copyJson(value);
  await restAfterStep(bytes.length);
  const unknown = dropUnknownFields(definition, value, copy);
  await restAfterStep(bytes.length);
  if (fieldValidation !== 'Ignore') {
    const findings = [...duplicates(), ...unknown.map(path => `unknown field ${JSON.stringify(path)}`)];
    if (findings.length > 0 && fieldValidation === 'Strict')
      throw badRequest(`error strict decoding YAML: ${findings.join(', ')}`);
    request.warnings.push(...findings);
  }
  return value;
}

/**
 * Drops, in place, what the type does not have; gives the paths. Nulls stay: that something is null can be applied. The copy is
 * changed too.
 */
function dropUnknownFields(
  { message }: BodyDefinition,
  value: JsonObject,
  checked: JsonObject,
): readonly string[] {
  const { unknownFields } = checkTypes(message, checked);
  if (unknownFields.length > 0) takeMembersOf(checked, value);
  return unknownFields;
}

function takeMembersOf(checked: JsonValue | undefined, value: JsonValue): void {
  if (Array.isArray(value) && Array.isArray(checked)) {
    for (const [index, item] of value.entries()) takeMembersOf(checked[index], item);
  } else if (isJsonObject(value) && isJsonObject(checked)) {
    for (const [key, member] of Object.entries(value)) {
      if (Object.hasOwn(checked, key)) takeMembersOf(checked[key], member);
      else if (member !== null) delete value[key];
    }
  }
}

function assertKind({ kind }: BodyDefinition, value: JsonObject): void {
  const sent = Object.hasOwn(value, 'kind') ? value['kind'] : undefined;
  if (sent === kind) return;
  if (typeof sent !== 'string' || sent === '')
    throw badRequest(`the configuration does not say its kind, which must be ${kind}`);
  throw badRequest(`the configuration is of kind ${JSON.stringify(sent.slice(0, 128))}, not ${kind}`);
}
