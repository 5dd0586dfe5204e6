import { isJsonObject, isNumber, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { errorMessage } from '@binnacle/status-errors';
import { CommandError, UsageError } from '../output/errors.ts';
import { findResults } from '../templates/json-path/find-results.ts';
import type { JsonPathTemplate } from '../templates/json-path/json-path-template.ts';
import { parseJsonPath, relaxedJsonPath } from '../templates/json-path/parse-json-path.ts';
import { formatGoValue } from '../templates/values/go-value.ts';
import { objectIn, textIn } from './page.ts';

/** The condition of `wait --for`. */
export interface WaitCondition {
  /** Whether objects that do not exist fulfil it. */
  readonly isDeletion: boolean;
  /** Whether it holds; undefined stands for an object that does not exist. Throws a `CommandError` where that cannot be said. */
  readonly isMet: (object: JsonObject | undefined) => boolean;
}

const conditionPrefix = 'condition=';
const jsonPathPrefix = 'jsonpath=';

/** Reads `delete`, `condition=NAME[=VALUE]` or `jsonpath={PATH}=VALUE`; throws a `UsageError`, or a `TemplateError` for a path. */
export function parseWaitCondition(text: string): WaitCondition {
  if (text.toLowerCase() === 'delete') return { isDeletion: true, isMet: object => object === undefined };
  if (text.startsWith(conditionPrefix)) {
    const [name = '', ...values] = text.slice(conditionPrefix.length).split('=');
    const status = values.length === 0 ? 'true' : values.join('=');
    return { isDeletion: false, isMet: object => object !== undefined && hasCondition(object, name, status) };
  }
  if (text.startsWith(jsonPathPrefix)) return parseJsonPathCondition(text);
  throw new UsageError(`unrecognized condition: ${JSON.stringify(text)}`);
}

function parseJsonPathCondition(text: string): WaitCondition {
  const [path = '', value, ...others] = text.slice(jsonPathPrefix.length).split('=');
  if (value === undefined || others.length > 0)
    throw new UsageError("jsonpath wait format must be --for=jsonpath='{.status.readyReplicas}'=3");
  const relaxedPath = relaxedJsonPath(path);
  if (value === '') throw new UsageError('jsonpath wait condition cannot be empty');
  if (relaxedPath === '') throw new UsageError('jsonpath expression cannot be empty');
  const template = parseJsonPath(relaxedPath);
  const wanted = value.replace(/^['"]+|['"]+$/g, '').trim();
  return {
    isDeletion: false,
    isMet: object => object !== undefined && valueAt(object, template) === wanted,
  };
}

/** The text of the one value that a path leads to, undefined where it leads nowhere; throws where that is no scalar. */
function valueAt(object: JsonObject, template: JsonPathTemplate): string | undefined {
  const [values = [], ...others] = valuesAt(object, template);
  if (values.length === 0) return undefined;
  if (others.length > 0) throw new CommandError('given jsonpath expression matches more than one list');
  if (values.length > 1) throw new CommandError('given jsonpath expression matches more than one value');
  const [value] = values;
  if (typeof value === 'object' && value !== null)
    throw new CommandError('jsonpath leads to a nested object or list which is not supported');
  return formatGoValue(value).trim();
}

function valuesAt(object: JsonObject, template: JsonPathTemplate) {
  try {
    return findResults(template, object);
  } catch (cause) {
    throw new CommandError(errorMessage(cause), { cause });
  }
}

/** Whether the first condition of a type in `status.conditions` has a status, of the generation that the object has now. */
function hasCondition(object: JsonObject, type: string, status: string): boolean {
  const { conditions = [] } = objectIn(object, 'status');
  if (!Array.isArray(conditions))
    throw new CommandError('.status.conditions accessor error: it is not a list');
  const condition = conditions
    .filter(isJsonObject)
    .find(each => isSameWord(textIn(each, 'type'), type) && typeof each['status'] === 'string');
  if (condition === undefined) return false;
  const generation = numberIn(objectIn(object, 'metadata'), 'generation');
  const observed =
    numberIn(condition, 'observedGeneration') ?? numberIn(objectIn(object, 'status'), 'observedGeneration');
  const isOutdated = generation !== undefined && observed !== undefined && observed < generation;
  return !isOutdated && isSameWord(textIn(condition, 'status'), status);
}

function isSameWord(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function numberIn(holder: JsonObject, name: string): number | bigint | undefined {
  const value: JsonValue | undefined = holder[name];
  return isNumber(value) ? value : undefined;
}
