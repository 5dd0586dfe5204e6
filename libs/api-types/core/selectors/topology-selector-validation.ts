import {
  duplicateField,
  type FieldError,
  type FieldPath,
  invalidField,
  requiredField,
  validateQualifiedName,
} from '@binnacle/api-objects';
import type { TopologySelectorLabelRequirement, TopologySelectorTerm } from '../../generated/core/v1.ts';
import { isRepeated } from '../../values/repeated-values.ts';

/** Validates topology selector terms, which are alternatives. */
export function topologyTermsErrors(terms: readonly TopologySelectorTerm[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return terms.flatMap((term, index) => {
    const at = path.index(index);
    const requirements = term.matchLabelExpressions ?? [];
    const errors = requirementsErrors(requirements, at.child('matchLabelExpressions'));
    const meaning = canonicalText(requirements);
    if (seen.has(meaning)) errors.push(duplicateField(at.child('matchLabelExpressions'), ''));
    seen.add(meaning);
    return errors;
  });
}

function requirementsErrors(
  requirements: readonly TopologySelectorLabelRequirement[],
  path: FieldPath,
): FieldError[] {
  const keys = requirements.map(requirement => requirement.key ?? '');
  return requirements.flatMap((requirement, index) => {
    const at = path.index(index);
    const key = keys[index] ?? '';
    const values = requirement.values ?? [];
    return [
      ...validateQualifiedName(key).map(message => invalidField(at.child('key'), key, message)),
      ...(isRepeated(keys, index) ? [duplicateField(at.child('key'), key)] : []),
      ...(values.length === 0 ? [requiredField(at.child('values'))] : []),
      ...values.flatMap((value, position) =>
        isRepeated(values, position) ? [duplicateField(at.child('values').index(position), value)] : [],
      ),
    ];
  });
}

/** Returns equal texts for terms with the same requirements in any order. */
function canonicalText(requirements: readonly TopologySelectorLabelRequirement[]): string {
  const parts = requirements.map(requirement => [
    requirement.key ?? '',
    (requirement.values ?? []).toSorted(),
  ]);
  return JSON.stringify(parts.sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)));
}
