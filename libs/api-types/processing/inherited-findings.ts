import { type ApiObject, copyJson, equalJson, type FieldError } from '@binnacle/api-objects';
import type { ResourceDefinition } from '../definitions/resource-definition.ts';
import { applyDefaults } from './apply-defaults.ts';
import { changedRoots, isStatusAlone } from './changed-roots.ts';

/** An update with validation errors. */
interface FaultyUpdate {
  readonly definition: ResourceDefinition;
  readonly object: ApiObject;
  /** The object before the update; not modified. */
  readonly old: ApiObject;
  /** Validates the old object as if it were written unchanged; called at most once. */
  findOld(): readonly FieldError[];
}

/** The field of errors about the whole object. */
const wholeObject = '<nil>';

/**
 * Removes errors that an update did not cause. A stored object may violate a rule that is newer than the object, because its
 * definition, a flag or the release changed. Changes of labels, finalizers and status, and deletion, must stay possible.
 *
 * | the update changes | ignored errors |
 * |---|---|
 * | only metadata | those that the old object has too; for an object with a schema, all outside metadata |
 * | only status | those that the old object has too |
 * | anything, and the object is being deleted | those that the old object has too |
 * | more | those in metadata and unchanged root fields that the old object has too; for an object with a schema, all in unchanged
 * root fields |
 *
 * Additionally, duplicate items of lists of type set or map only count if the old object had none (as in kube-apiserver).
 */
export function withoutInherited(found: readonly FieldError[], update: FaultyUpdate): FieldError[] {
  if (found.length === 0) return [];
  const { definition, object, old } = update;
  const changed = changedRoots(object, old);
  // A schema validates each field separately; other rules compare fields.
  const hasSchema = definition.message.structure !== undefined;
  const counted = found.filter(
    error => isAboutMetadata(error) || !hasSchema || (changed.size > 0 && isAbout(error, changed)),
  );
  if (counted.length === 0) return [];
  const before = update.findOld();
  if (before.length === 0) return counted;
  const hadRepeated = hasSchema && before.some(isRepeated);
  const isDeleted = object.metadata.deletionTimestamp !== undefined;
  const isMild = isDeleted || changed.size === 0 || isStatusAlone(changed);
  const inherited = new FindingBag(before);
  return counted.filter(error => {
    if (hadRepeated && isRepeated(error)) return false;
    const mayBeInherited = isMild || isAboutMetadata(error) || !isAbout(error, changed);
    return !(mayBeInherited && inherited.take(error));
  });
}

/**
 * Returns a stored object with the current defaults, for comparisons with an update: a default that is newer than the object is
 * not a change of the update. Returns the object itself if it lacks none.
 */
export function withDefaultsOfNow(definition: ResourceDefinition, old: ApiObject): ApiObject {
  // Custom resources get their defaults when they are read.
  if (definition.message.structure !== undefined) return old;
  const completed = copyJson(old);
  applyDefaults(definition, completed);
  return equalJson(completed, old) ? old : completed;
}

function isAbout({ field }: FieldError, roots: ReadonlySet<string>): boolean {
  return field === wholeObject || roots.has(rootFromField(field));
}

function isAboutMetadata({ field }: FieldError): boolean {
  return rootFromField(field) === 'metadata';
}

/** Returns the first name of a path; paths of scale values start with a dot. */
function rootFromField(field: string): string {
  return /^\.?([^.[]*)/.exec(field)?.[1] ?? '';
}

function isRepeated({ type }: FieldError): boolean {
  return type === 'Duplicate';
}

/** A multiset of errors for comparisons. Errors about list items are equal regardless of the index. */
class FindingBag {
  readonly #counts = new Map<string, number>();
  readonly #values = new ValueNumbers();

  constructor(findings: readonly FieldError[]) {
    for (const finding of findings) {
      const key = this.#keyOf(finding);
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    }
  }

  /** Removes an equal error; returns whether there was one. */
  take(finding: FieldError): boolean {
    const key = this.#keyOf(finding);
    const count = this.#counts.get(key) ?? 0;
    if (count > 0) this.#counts.set(key, count - 1);
    return count > 0;
  }

  #keyOf({ type, field, detail, value }: FieldError): string {
    return [type, this.#values.getNumber(value), withoutPositions(field), withoutPositions(detail)].join(
      '\n',
    );
  }
}

function withoutPositions(text: string): string {
  return text.replaceAll(/\[\d+\]/g, '[]');
}

/** Assigns numbers to values, equal for equal values. A thousand errors may contain one large value: its text is computed once. */
class ValueNumbers {
  readonly #byText = new Map<string, number>();
  readonly #byObject = new Map<object, number>();

  getNumber(value: unknown): number {
    if (typeof value !== 'object' || value === null) return this.#numberOfText(JSON.stringify(value) ?? '');
    const number = this.#byObject.get(value) ?? this.#numberOfText(JSON.stringify(value));
    this.#byObject.set(value, number);
    return number;
  }

  #numberOfText(text: string): number {
    const number = this.#byText.get(text) ?? this.#byText.size;
    this.#byText.set(text, number);
    return number;
  }
}
