import { isJsonObject, type JsonObject } from '@binnacle/api-objects';
import { type BodyDefinition, type FieldValidation, parseYaml } from '@binnacle/codecs';
import { badRequest } from '@binnacle/status-errors';
import type { ApiRequest } from '../pipeline/api-request.ts';

/**
 * Reads the configuration that a request applies: the first document of its body, YAML or JSON. Keys that occur twice
 * are warnings of the request; throws BadRequest for them under `Strict`, for text that is no object, and for another
 * kind. The version is for `apply` to check.
 */
export async function readApplied(
  request: ApiRequest,
  definition: BodyDefinition,
  fieldValidation: FieldValidation,
): Promise<JsonObject> {
  const { value, duplicates } = parseYaml(await request.body());
  if (!isJsonObject(value)) throw badRequest('error decoding YAML: the configuration is not an object');
  if (fieldValidation !== 'Ignore') {
    const findings = duplicates();
    if (findings.length > 0 && fieldValidation === 'Strict')
      throw badRequest(`error strict decoding YAML: ${findings.join(', ')}`);
    request.warnings.push(...findings);
  }
  assertKind(definition, value);
  return value;
}

function assertKind({ kind }: BodyDefinition, value: JsonObject): void {
  const sent = Object.hasOwn(value, 'kind') ? value['kind'] : undefined;
  if (sent === kind) return;
  if (typeof sent !== 'string' || sent === '')
    throw badRequest(`the configuration does not say its kind, which must be ${kind}`);
  throw badRequest(`the configuration is of kind ${JSON.stringify(sent.slice(0, 128))}, not ${kind}`);
}
