import {
  createFieldSelector,
  fieldPath,
  type JsonObject,
  type JsonValue,
  labelSelectorFrom,
  parseFieldSelector,
  parseLabelSelector,
  validateLabelSelector,
} from '@binnacle/api-objects';
import {
  createLabelSelector,
  escapeFieldValue,
  type LabelOperator,
  labelRequirement,
  labelRequirementText,
  validateLabelRequirement,
} from '@binnacle/api-objects/testing';
import { type CaseFile, leftOut, type RowGroup, rowGroup } from './cases/case-file.ts';
import { differs, firstProblem, mustFail } from './cases/compare.ts';
import { differentErrors, type ExpectedError } from './field-errors.ts';

interface RequirementRow {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

interface TextRow {
  readonly text: string;
  readonly canonical?: string;
  readonly error?: boolean;
  readonly requirements?: readonly RequirementRow[];
  readonly labels?: Readonly<Record<string, string>>;
}

interface MatchRow {
  readonly selector: string;
  readonly requirements: readonly RequirementRow[];
  readonly set: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
  readonly match: boolean;
}

interface StructuredRow {
  readonly selector: JsonValue;
  readonly text?: string;
  readonly matches?: 'nothing';
  readonly error?: boolean;
  readonly errors: readonly ExpectedError[];
}

interface SetRow {
  readonly set: Readonly<Record<string, string>>;
  readonly requirements?: readonly RequirementRow[];
  readonly errors?: readonly ExpectedError[];
}

interface TermRow {
  readonly text: string;
  readonly left?: string;
  readonly operator?: string;
  readonly right?: string;
  readonly error?: boolean;
}

const notAsked = 'a question of clients, which the server does not ask';

/** The cases of label selectors, as text and structured, and of field selectors. */
export function selectorCases(document: JsonObject): CaseFile {
  return {
    groups: [...labelGroups(document), ...structuredGroups(document), ...fieldGroups(document)],
    leftOut: [
      leftOut(document, 'labels/tokens', {
        reason: 'steps within the parser; labels/parse has what becomes of them',
      }),
      leftOut(document, 'labels/operators', { reason: 'a step within the parser' }),
      leftOut(document, 'labels/exact', { reason: notAsked }),
      leftOut(document, 'labels/toMap', { reason: notAsked }),
      leftOut(document, 'labels/conflicts', { reason: notAsked }),
      leftOut(document, 'labels/merge', { reason: notAsked }),
      leftOut(document, 'labelSelector/toMap', { reason: notAsked }),
      leftOut(document, 'fields/terms', {
        reason: 'a step within the parser; fields/valid and fields/term go through it',
      }),
      leftOut(document, 'fields/exact', { reason: notAsked }),
      leftOut(document, 'fields/transform', { reason: notAsked }),
    ],
  };
}

function labelGroups(document: JsonObject): RowGroup[] {
  return [
    rowGroup(document, 'labels/parse', problemOfParse),
    rowGroup(document, 'labels/valid', problemOfParse),
    rowGroup<string>(document, 'labels/invalid', text => mustFail(() => parseLabelSelector(text))),
    rowGroup<[string, string]>(document, 'labels/sameMeaning', ([a, b]) =>
      differs(parseLabelSelector(a).toString(), parseLabelSelector(b).toString()),
    ),
    rowGroup<MatchRow>(document, 'labels/matches', ({ selector, labels, match }) =>
      differs(parseLabelSelector(selector).matches(labels), match),
    ),
    rowGroup<MatchRow>(document, 'labels/requirementMatches', ({ requirements, labels, match }) =>
      differs(selectorFromRows(requirements).matches(labels), match),
    ),
    rowGroup<MatchRow>(document, 'labels/setMatches', ({ set, labels, match }) =>
      differs(selectorFromRows(requirementsOfSet(set)).matches(labels), match),
    ),
    rowGroup<RequirementRow & { errors: ExpectedError[] }>(document, 'labels/requirement', row =>
      differentErrors(validateLabelRequirement(row.key, row.operator, row.values), row.errors),
    ),
    rowGroup<{ requirements: RequirementRow[]; text: string }>(document, 'labels/toText', row => {
      const texts = row.requirements.map(r => labelRequirement(r.key, r.operator, r.values));
      return differs(texts.map(labelRequirementText).join(','), row.text, 'the text');
    }),
    rowGroup<SetRow>(document, 'labels/fromSet', ({ set, requirements, errors = [] }) => {
      const found = requirementsOfSet(set);
      return firstProblem(
        differentErrors(
          found.flatMap(r => validateLabelRequirement(r.key, r.operator, r.values)),
          errors,
        ),
        requirements === undefined ? undefined : differs(found, requirements, 'the requirements'),
      );
    }),
  ];
}

function structuredGroups(document: JsonObject): RowGroup[] {
  return [
    rowGroup<StructuredRow>(document, 'labelSelector/toText', ({ selector, text, matches, error }) => {
      if (error) return mustFail(() => labelSelectorFrom(selector));
      const compiled = labelSelectorFrom(selector);
      if (matches === 'nothing') return differs(compiled.matches({ foo: 'bar' }), false);
      return differs(compiled.toString(), text, 'the text');
    }),
    rowGroup<StructuredRow>(document, 'labelSelector/validate', ({ selector, errors }) =>
      differentErrors(validateLabelSelector(selector, fieldPath('labelSelector')), errors),
    ),
  ];
}

function fieldGroups(document: JsonObject): RowGroup[] {
  return [
    rowGroup<string>(document, 'fields/valid', text =>
      differs(parseFieldSelector(text).toString(), text, 'the text'),
    ),
    rowGroup<string>(document, 'fields/invalid', text => mustFail(() => parseFieldSelector(text))),
    rowGroup<[string, string]>(document, 'fields/sameMeaning', ([a, b]) =>
      differs(parseFieldSelector(a).toString(), parseFieldSelector(b).toString()),
    ),
    rowGroup<MatchRow>(document, 'fields/matches', ({ selector, fields, match }) =>
      differs(parseFieldSelector(selector).matches(fields), match),
    ),
    rowGroup<MatchRow>(document, 'fields/setMatches', ({ set, fields, match }) => {
      const terms = Object.entries(set).map(([field, value]) => ({ field, operator: '=' as const, value }));
      return differs(createFieldSelector(terms).matches(fields), match);
    }),
    rowGroup<TermRow>(document, 'fields/term', problemOfTerm),
    rowGroup<{ escaped: string; value: string }>(document, 'fields/escape', ({ escaped, value }) =>
      firstProblem(
        differs(escapeFieldValue(value), escaped, 'the escaped value'),
        differs(parseFieldSelector(`x=${escaped}`).requirements[0]?.value, value, 'the value'),
      ),
    ),
    rowGroup<string>(document, 'fields/escapeInvalid', text =>
      mustFail(() => parseFieldSelector(`x=${text}`)),
    ),
  ];
}

function problemOfParse({ text, canonical, error, requirements }: TextRow): string | undefined {
  if (error) return mustFail(() => parseLabelSelector(text));
  const selector = parseLabelSelector(text);
  const found = selector.requirements.map(({ key, operator, values }) => ({ key, operator, values }));
  return firstProblem(
    requirements === undefined ? undefined : differs(found, requirements, 'the requirements'),
    differs(selector.toString(), canonical, 'the canonical text'),
    differs(parseLabelSelector(selector.toString()).toString(), canonical, 'the text that was read again'),
  );
}

/** A row gives the value as it is written; the parser gives it without its escapes, and `==` as `=`. */
function problemOfTerm({ text, left, operator, right = '', error }: TermRow): string | undefined {
  if (error && text === '') return differs(parseFieldSelector(text).requirements.length, 0);
  if (error) return mustFail(() => parseFieldSelector(text));
  if (hasStrayEscape(right)) return mustFail(() => parseFieldSelector(text));
  const [term] = parseFieldSelector(text).requirements;
  const found = term && { left: term.field, operator: term.operator, right: escapeFieldValue(term.value) };
  return differs(found, { left, operator: operator === '==' ? '=' : operator, right }, 'the term');
}

/** Whether a backslash stands before something that needs none: splitting lets it pass, reading the value does not. */
function hasStrayEscape(value: string): boolean {
  return value.replace(/\\[\\,=]/g, '').includes('\\');
}

function selectorFromRows(requirements: readonly RequirementRow[]) {
  return createLabelSelector(requirements.map(r => labelRequirement(r.key, r.operator, r.values)));
}

function requirementsOfSet(set: Readonly<Record<string, string>>): RequirementRow[] {
  return Object.entries(set).map(([key, value]) => ({ key, operator: '=', values: [value] }));
}
