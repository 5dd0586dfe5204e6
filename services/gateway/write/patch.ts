import {
  type ApiObject,
  isJsonObject,
  type JsonValue,
  removeDuplicateOwnerReferences,
} from '@binnacle/api-objects';
import type { AliasNames, MessageType } from '@binnacle/api-types';
import {
  assertPatchedIntegers,
  type BodyDefinition,
  checkObject,
  type DecodedObject,
  type DecodedPatch,
  decodePatch,
  type FieldValidation,
  judgeFindings,
  type PatchForm,
} from '@binnacle/codecs';
import { isLong, runInSlices } from '@binnacle/event-loop';
import {
  applyMergePatch,
  applyStrategicMergePatch,
  jsonPatchSteps,
  mergePatchSteps,
} from '@binnacle/patching';
import { withoutManagedFields } from '@binnacle/server-side-apply';
import { notFound, StatusError, unsupportedMediaType } from '@binnacle/status-errors';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import { resourceNameOf } from '../request/names.ts';
import { isLongWrite, yieldBetweenSteps } from '../request/yield-between-steps.ts';
import { aliasNamesFor } from '../versions/alias-form.ts';
import { applyVerb } from './apply.ts';
import { type Adjustment, changedObject } from './changed-object.ts';
import { runWrite, type WriteServices } from './engine/run-write.ts';
import { assertNameMatches, placeInNamespace } from './request-object.ts';
import { parseWriteOptions, type WriteOptions } from './write-options.ts';

interface PatchType {
  readonly form: PatchForm;
  /** Applies a patch to a document. */
  apply(document: ApiObject, patch: JsonValue, message: MessageType): JsonValue | Promise<JsonValue>;
  /** The same in slices, where the document or the patch is long. */
  applyLong?(document: ApiObject, patch: JsonValue): JsonValue | Promise<JsonValue>;
}

/** The media type of a configuration that is applied; it may be YAML or JSON. */
export const applyMediaType = 'application/apply-patch+yaml';

const strategicMediaType = 'application/strategic-merge-patch+json';

/** The patch types that are a change of a document, by media type. */
const patchTypes: ReadonlyMap<string, PatchType> = new Map<string, PatchType>([
  [
    'application/json-patch+json',
    {
      form: 'operations',
      apply: (document, patch) => runInSlices(jsonPatchSteps(document, patch)),
    },
  ],
  // Merges take time in proportion to the object and the patch, both of which are bounded.
  [
    'application/merge-patch+json',
    {
      form: 'object',
      apply: applyMergePatch,
      applyLong: (document, patch) => runInSlices(mergePatchSteps(document, patch)),
    },
  ],
  [strategicMediaType, { form: 'object', apply: applyStrategicMergePatch }],
]);

/** PATCH on an object or its status: JSON patch, merge patch, strategic merge patch or apply, by the body's media type. */
export async function patchVerb(
  request: ApiRequest,
  services: WriteServices,
  adjust?: Adjustment,
): Promise<ApiResult> {
  if (request.contentType === applyMediaType) return await applyVerb(request, services, adjust);
  const { definition, info } = request;
  const change = await readPatch(request, definition.message);
  const options = parseWriteOptions(request.query, 'PatchOptions');
  const names = aliasNamesFor(definition, info);
  return await runWrite(request, services, {
    dryRun: options.dryRun,
    start: { from: 'cache' },
    attempt(current) {
      if (current === undefined) throw notFound(resourceNameOf(definition), info.name);
      const build = (value: JsonValue) => {
        const { object, warnings } = patched(request, value, { options, change, before: current.object });
        return changedObject(request, services, { object, current, options, adjust, warnings });
      };
      // Fields that the patch leaves alone need not be copied, checked and compared: they are recorded from the current object.
      const document = change.namesManagedFields ? current.object : withoutManagedFields(current.object);
      const applying = change.apply(document, names);
      if (!(applying instanceof Promise) && !isLongWrite(request)) return build(applying);
      return applyInSteps(request, applying).then(build);
    },
  });
}

async function applyInSteps(
  request: ApiRequest,
  applying: JsonValue | Promise<JsonValue>,
): Promise<JsonValue> {
  const value = await applying;
  await yieldBetweenSteps(request);
  return value;
}

/** A patch for documents of one type. */
interface PatchChange {
  /** Whether the patch may read or change metadata.managedFields; if not, it may be applied to a document without them. */
  readonly namesManagedFields: boolean;
  /**
   * Applies the patch to a document, which stays as it is; the result may be anything. `names` are those that the
   * patch may have for parts of the document, which has its own.
   */
  apply(document: ApiObject, names?: AliasNames): JsonValue | Promise<JsonValue>;
  /** Findings of field validation in the text of the patch. */
  findings(): readonly string[];
  /** Throws Invalid where the text of the patch has a float for an integer field of a definition. */
  assertIntegers(definition: BodyDefinition, value: JsonValue): void;
}

/** The parts of a request that a patch is read from. */
type PatchSource = Pick<ApiRequest, 'body' | 'contentType' | 'definition' | 'notes'>;

/**
 * Reads the patch of a request for documents of a message type. Throws UnsupportedMediaType for a media type that is
 * no patch, BadRequest for a body that cannot be read; the returned patch throws when it does not fit a document.
 */
export function readPatch(request: PatchSource, message: MessageType): Promise<PatchChange> {
  const type = patchTypes.get(request.contentType);
  // Strategic merge needs options of fields, which types that a schema describes do not have; the subresources of
  // such a kind accept the same patches as its objects.
  const isStrategic = request.definition.message.structure === undefined;
  if (type === undefined || (!isStrategic && request.contentType === strategicMediaType)) {
    const taken = [...patchTypes.keys()].filter(one => isStrategic || one !== strategicMediaType);
    throw unsupportedMediaType([...taken, applyMediaType]);
  }
  return request.body().then(body => {
    const decoding = decodePatch(body, type.form);
    return decoding instanceof Promise
      ? decoding.then(decoded => patchChange(request, { type, decoded, message }))
      : patchChange(request, { type, decoded: decoding, message });
  });
}

interface DecodedChange {
  readonly type: PatchType;
  readonly decoded: DecodedPatch;
  readonly message: MessageType;
}

function patchChange(
  request: PatchSource,
  { type, decoded: { patch, findings, floats }, message }: DecodedChange,
): PatchChange {
  return {
    namesManagedFields: type.form === 'operations' || namesManagedFields(patch),
    apply(document, names) {
      if (names === undefined)
        return type.applyLong !== undefined && isLong(request.notes.workBytes)
          ? type.applyLong(document, patch)
          : type.apply(document, patch, message);
      return applyWithNames(type, { document, patch, message, names });
    },
    findings,
    assertIntegers(definition, value) {
      // A strategic merge works on values, not on texts.
      if (request.contentType !== strategicMediaType) assertPatchedIntegers(definition, value, floats);
    },
  };
}

/** Whether a patch that is an object has a member for metadata.managedFields, or a directive of strategic merge for them. */
function namesManagedFields(patch: JsonValue): boolean {
  const metadata = isJsonObject(patch) ? patch['metadata'] : undefined;
  if (!isJsonObject(metadata)) return false;
  for (const name in metadata) if (name.endsWith('managedFields')) return true;
  return false;
}

interface NamedPatch {
  readonly document: ApiObject;
  readonly patch: JsonValue;
  readonly message: MessageType;
  readonly names: AliasNames;
}

/** Applies a patch that has alias names for parts of the document. */
async function applyWithNames(
  type: PatchType,
  { document, patch, message, names }: NamedPatch,
): Promise<JsonValue> {
  // The operations of a JSON patch name places of the document as the client read it; other patches are parts of an
  // object.
  const isObject = isJsonObject(patch);
  const before = isObject ? document : (names.toAlias(document) as ApiObject); // it has all that it had
  const value = await type.apply(before, isObject ? names.fromAlias(patch) : patch, message);
  return isJsonObject(value) ? names.fromAlias(value) : value;
}

/** A patch, and the object that it was applied to. */
interface CheckedPatch {
  readonly change: PatchChange;
  readonly before: ApiObject;
}

interface PatchedWrite extends CheckedPatch {
  readonly options: WriteOptions;
}

function patched(
  request: ApiRequest,
  value: JsonValue,
  how: PatchedWrite,
): { readonly object: ApiObject; readonly warnings: readonly string[] } {
  assertIdentity(request, value);
  const { object, warnings } = checked(request, value, how);
  placeInNamespace(request, object);
  const warning = removeDuplicateOwnerReferences(object.metadata);
  return { object, warnings: warning === undefined ? warnings : [...warnings, warning] };
}

/** Throws when a patch renames or moves the object. */
function assertIdentity(request: ApiRequest, value: JsonValue): void {
  if (!isJsonObject(value) || !isJsonObject(value['metadata'])) return;
  const { name = '' } = value['metadata'];
  if (typeof name === 'string') assertNameMatches(request, { apiVersion: '', kind: '', metadata: { name } });
}

/** Checks the result of a patch; findings are about the patch, so that the error names no object. */
function checked(
  { definition }: ApiRequest,
  value: JsonValue,
  { options: { fieldValidation }, change, before }: PatchedWrite,
): DecodedObject {
  try {
    return checkPatched(definition, value, { fieldValidation, change, before });
  } catch (thrown) {
    if (!(thrown instanceof StatusError) || thrown.causes[0]?.field !== 'patch') throw thrown;
    const { reason, code, message, causes } = thrown;
    throw new StatusError({ reason, code, message, details: { causes: [...causes] } });
  }
}

/** Checks the result of a patch as `checkObject` does; findings in the text of the patch come first. */
export function checkPatched(
  definition: BodyDefinition,
  value: JsonValue,
  patch: CheckedPatch & { readonly fieldValidation: FieldValidation },
): DecodedObject {
  const { fieldValidation, change, before } = patch;
  change.assertIntegers(definition, value);
  const { object, warnings } = checkObject(definition, value, 'Warn', before);
  const findings = [...change.findings(), ...warnings];
  return { object, warnings: judgeFindings(definition, findings, fieldValidation) };
}
