import { validateLabelValue, validateQualifiedName } from '@binnacle/api-objects';

/** Labels that nodes must have, by key. */
export type SelectorLabels = Readonly<Record<string, string>>;

/** Reads `a=b,c=d`; throws for anything else. */
export function parseSelectorLabels(text: string): SelectorLabels {
  const labels: Record<string, string> = {};
  if (text.trim() === '') return labels;
  for (const part of text.split(',')) {
    const [key = '', value, ...rest] = part.split('=').map(side => side.trim());
    if (value === undefined || rest.length > 0)
      throw new Error(`${JSON.stringify(part)} is not of the form key=value`);
    const [problem] = [...validateQualifiedName(key), ...validateLabelValue(value)];
    if (problem !== undefined) throw new Error(`${JSON.stringify(part)}: ${problem}`);
    labels[key] = value;
  }
  return labels;
}

/** The first key that both have with another value; undefined when there is none. */
export function conflictingKey(one: SelectorLabels, other: SelectorLabels): string | undefined {
  return Object.keys(one).find(key => Object.hasOwn(other, key) && other[key] !== one[key]);
}

/** The first key whose label is not among the permitted ones; without any, all are permitted. */
export function unpermittedKey(labels: SelectorLabels, permitted: SelectorLabels): string | undefined {
  if (Object.keys(permitted).length === 0) return undefined;
  return Object.keys(labels).find(key => !Object.hasOwn(permitted, key) || permitted[key] !== labels[key]);
}
