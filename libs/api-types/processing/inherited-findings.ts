import { type ApiObject, copyJson, equalJson, type FieldError } from '@binnacle/api-objects';
import type { ResourceDefinition } from '../definitions/resource-definition.ts';
import { applyDefaults } from './apply-defaults.ts';
import { changedRoots, isStatusAlone } from './changed-roots.ts';

/** An update that was found to break rules. */
interface FaultyUpdate {
  readonly definition: ResourceDefinition;
  readonly object: ApiObject;
  /** The object before. Not changed. */
  readonly old: ApiObject;
  /** The findings about the object before, as if it were written as it is; called at most once. */
  findOld(): readonly FieldError[];
}

/** Findings of rules about the whole object. */
const wholeObject = '<nil>';

/**
 * Leaves out the findings about an update that are no fault of the update. A stored object may break a rule that is younger
 * than itself: its definition, a flag or the release changed. Labels, finalizers, status and deletion stay possible then.
 *
 * | the update changes | findings that are left out |
 * |---|---|
 * | nothing outside metadata | those that the object before has too; where a schema describes the object, all outside metadata |
 * | status alone | those that the object before has too |
 * | anything, and the object is being deleted | those that the object before has too |
 * | more | those about metadata and about root fields that stay as they are, when the object before has them too; where a schema describes the object, all about root fields that stay as they are |
 *
 * Besides, repeated items of lists that a schema makes a set or a map count only when the object before had none
 * (as in kube-apiserver).
 */
export function withoutInherited(found: readonly FieldError[], update: FaultyUpdate): FieldError[] {
  if (found.length === 0) return [];
  const { definition, object, old } = update;
  const changed = changedRoots(object, old);
  // A schema describes each place alone; other rules compare places.
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
 * A stored object with the defaults of now, to compare an update with: a default that is younger than the object is no
 * change of the update. The object itself where it lacks none.
 */
export function withDefaultsOfNow(definition: ResourceDefinition, old: ApiObject): ApiObject {
  // Custom objects are completed when they are read.
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

/** The first name of a path; paths of figures of a scale begin with a dot. */
function rootFromField(field: string): string {
  return /^\.?([^.[]*)/.exec(field)?.[1] ?? '';
}

function isRepeated({ type }: FieldError): boolean {
  return type === 'Duplicate';
}

/** Findings to compare others with; each of them stands for one other. Items count as the same wherever they stand in a list. */
class FindingBag {
  readonly #counts = new Map<string, number>();
  readonly #values = new ValueNumbers();

  constructor(findings: readonly FieldError[]) {
    for (const finding of findings) {
      const key = this.#keyOf(finding);
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    }
  }

  /** Whether there is a finding like this one; takes it out. */
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

/** Numbers for values, the same for equal ones. A thousand findings may show one large value: its text is made once. */
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
