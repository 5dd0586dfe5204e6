import { type ApiObject, copyJson, equalJson, type FieldError } from '@binnacle/api-objects';
import type { ResourceDefinition } from '../definitions/definitions.ts';
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
  // What a schema says of a place is about that place alone; other rules compare places.
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
  // What a schema describes is completed when it is read.
  if (definition.message.structure !== undefined) return old;
  const completed = copyJson(old);
  applyDefaults(definition, completed);
  return equalJson(completed, old) ? old : completed;
}

function isAbout({ field }: FieldError, roots: ReadonlySet<string>): boolean {
  return field === wholeObject || roots.has(rootOf(field));
}

function isAboutMetadata({ field }: FieldError): boolean {
  return rootOf(field) === 'metadata';
}

/** The first name of a path; paths of figures of a scale begin with a dot. */
function rootOf(field: string): string {
  return /^\.?([^.[]*)/.exec(field)?.[1] ?? '';
}

function isRepeated({ type }: FieldError): boolean {
  return type === 'Duplicate';
}

/** Findings to compare others with; each of them stands for one other. Items count as the same wherever they stand in a list. */
class FindingBag {
  readonly #values = new Map<string, unknown[]>();

  constructor(findings: readonly FieldError[]) {
    for (const finding of findings) {
      const values = this.#values.get(keyOf(finding));
      if (values === undefined) this.#values.set(keyOf(finding), [finding.value]);
      else values.push(finding.value);
    }
  }

  /** Whether there is a finding like this one; takes it out. */
  take(finding: FieldError): boolean {
    const values = this.#values.get(keyOf(finding)) ?? [];
    const position = values.findIndex(value => isSameValue(value, finding.value));
    if (position < 0) return false;
    values.splice(position, 1);
    return true;
  }
}

function keyOf({ type, field, detail }: FieldError): string {
  return [type, withoutPositions(field), withoutPositions(detail)].join('\n');
}

function withoutPositions(text: string): string {
  return text.replaceAll(/\[\d+\]/g, '[]');
}

function isSameValue(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
