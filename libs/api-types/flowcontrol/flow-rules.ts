import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  validateDnsLabel,
  validateDnsSubdomain,
} from '@binnacle/api-objects';
import type {
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  ServiceAccountSubject,
  Subject,
} from '../generated/flowcontrol/v1beta3.ts';

const subjectKinds = [
  ['User', 'user'],
  ['Group', 'group'],
  ['ServiceAccount', 'serviceAccount'],
] as const;
const resourceVerbs = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'proxy',
  'update',
  'watch',
];
const pathVerbs = [...resourceVerbs, 'head', 'options', 'post', 'put'];

/** Validates one rule of a flow schema: its subjects and the requests that it matches. */
export function flowRuleErrors(rule: PolicyRulesWithSubjects, path: FieldPath): FieldError[] {
  const subjects = rule.subjects ?? [];
  const resourceRules = rule.resourceRules ?? [];
  const pathRules = rule.nonResourceRules ?? [];
  const errors =
    subjects.length === 0
      ? [requiredField(path.child('subjects'), 'there must be at least one subject')]
      : [];
  errors.push(
    ...subjects.flatMap((subject, index) => subjectErrors(subject, path.child('subjects').index(index))),
  );
  if (resourceRules.length === 0 && pathRules.length === 0)
    errors.push(requiredField(path, 'at least one of resourceRules and nonResourceRules must be given'));
  return [
    ...errors,
    ...resourceRules.flatMap((entry, index) =>
      resourceRuleErrors(entry, path.child('resourceRules').index(index)),
    ),
    ...pathRules.flatMap((entry, index) =>
      pathRuleErrors(entry, path.child('nonResourceRules').index(index)),
    ),
  ];
}

function subjectErrors(subject: Subject, path: FieldPath): FieldError[] {
  const { kind = '' } = subject;
  const kinds: string[] = subjectKinds.map(([name]) => name);
  if (!kinds.includes(kind)) return [notSupportedField(path.child('kind'), kind, kinds.toSorted())];
  const errors: FieldError[] = [];
  for (const [fieldKind, field] of subjectKinds) {
    const value = subject[field];
    const at = path.child(field);
    if (fieldKind !== kind && value)
      errors.push(forbiddenField(at, `is for subjects of kind ${fieldKind} only`));
    else if (fieldKind === kind && !value) errors.push(requiredField(at, `is required of kind ${kind}`));
    else if (value && kind === 'ServiceAccount') errors.push(...serviceAccountErrors(value, at));
    else if (value && (value.name ?? '') === '') errors.push(requiredField(at.child('name')));
  }
  return errors;
}

function serviceAccountErrors(
  { name = '', namespace = '' }: ServiceAccountSubject,
  path: FieldPath,
): FieldError[] {
  const nameErrors =
    name === ''
      ? [requiredField(path.child('name'))]
      : name === '*'
        ? []
        : validateDnsSubdomain(name).map(message => invalidField(path.child('name'), name, message));
  const namespaceErrors =
    namespace === ''
      ? [requiredField(path.child('namespace'), 'must name the namespace of the account')]
      : validateDnsLabel(namespace).map(message => invalidField(path.child('namespace'), namespace, message));
  return [...nameErrors, ...namespaceErrors];
}

function resourceRuleErrors(rule: ResourcePolicyRule, path: FieldPath): FieldError[] {
  const namespaces = rule.namespaces ?? [];
  const at = path.child('namespaces');
  return [
    ...verbErrors(rule.verbs ?? [], resourceVerbs, path.child('verbs')),
    ...listErrors(rule.apiGroups ?? [], path.child('apiGroups')),
    ...listErrors(rule.resources ?? [], path.child('resources')),
    ...(namespaces.length === 0 && rule.clusterScope !== true
      ? [requiredField(at, 'a rule without cluster scope must name at least one namespace')]
      : []),
    ...wildcardErrors(namespaces, at),
    ...namespaces.flatMap((namespace, index) =>
      namespace === '*'
        ? []
        : validateDnsLabel(namespace).map(message => invalidField(at.index(index), namespace, message)),
    ),
  ];
}

function pathRuleErrors(rule: NonResourcePolicyRule, path: FieldPath): FieldError[] {
  const urls = rule.nonResourceURLs ?? [];
  const at = path.child('nonResourceURLs');
  return [
    ...verbErrors(rule.verbs ?? [], pathVerbs, path.child('verbs')),
    ...listErrors(urls, at),
    ...urls.flatMap((url, index) => urlErrors(url, at.index(index))),
  ];
}

function verbErrors(verbs: readonly string[], known: readonly string[], path: FieldPath): FieldError[] {
  const errors = listErrors(verbs, path);
  if (verbs.includes('*')) return errors;
  const unknown = verbs.filter(verb => !known.includes(verb));
  return [...errors, ...unknown.map(verb => notSupportedField(path, verb, known.toSorted()))];
}

function listErrors(values: readonly string[], path: FieldPath): FieldError[] {
  return values.length === 0 ? [requiredField(path)] : wildcardErrors(values, path);
}

function wildcardErrors(values: readonly string[], path: FieldPath): FieldError[] {
  if (values.length < 2 || !values.includes('*')) return [];
  return [invalidField(path, values, "'*' must be the only value")];
}

function urlErrors(url: string, path: FieldPath): FieldError[] {
  if (url === '') return [requiredField(path)];
  if (url === '*' || url === '/') return [];
  const faults: [boolean, string][] = [
    [!url.startsWith('/'), "must begin with '/'"],
    [url.includes(' '), 'must not contain white space'],
    [url.includes('//'), 'must not contain empty segments'],
    [url.slice(0, -1).includes('*'), "'*' is allowed only at the end"],
    [url.endsWith('*') && !url.endsWith('/*'), "'*' must be a whole segment"],
  ];
  return faults.filter(([isFault]) => isFault).map(([, message]) => invalidField(path, url, message));
}
