import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  type JsonObject,
  notSupportedField,
  requiredField,
  validateDnsLabel,
  validateDnsSubdomain,
} from '@binnacle/api-objects';
import { asObject, asObjects, asText, asTexts } from '../values/json-access.ts';

const subjectFields = { User: 'user', Group: 'group', ServiceAccount: 'serviceAccount' } as const;
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

/** The findings about one rule of a flow schema: whose requests match, and which. */
export function flowRuleErrors(rule: JsonObject, path: FieldPath): FieldError[] {
  const subjects = asObjects(rule['subjects']);
  const resourceRules = asObjects(rule['resourceRules']);
  const pathRules = asObjects(rule['nonResourceRules']);
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

function subjectErrors(subject: JsonObject, path: FieldPath): FieldError[] {
  const kind = asText(subject['kind']);
  const kinds = Object.keys(subjectFields);
  if (!kinds.includes(kind)) return [notSupportedField(path.child('kind'), kind, kinds.toSorted())];
  const errors: FieldError[] = [];
  for (const [fieldKind, field] of Object.entries(subjectFields)) {
    const value = asObject(subject[field]);
    const at = path.child(field);
    if (fieldKind !== kind && value)
      errors.push(forbiddenField(at, `is for subjects of kind ${fieldKind} only`));
    else if (fieldKind === kind && !value) errors.push(requiredField(at, `is required of kind ${kind}`));
    else if (value && kind === 'ServiceAccount') errors.push(...serviceAccountErrors(value, at));
    else if (value && asText(value['name']) === '') errors.push(requiredField(at.child('name')));
  }
  return errors;
}

function serviceAccountErrors(account: JsonObject, path: FieldPath): FieldError[] {
  const name = asText(account['name']);
  const namespace = asText(account['namespace']);
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

function resourceRuleErrors(rule: JsonObject, path: FieldPath): FieldError[] {
  const namespaces = asTexts(rule['namespaces']);
  const at = path.child('namespaces');
  return [
    ...verbErrors(asTexts(rule['verbs']), resourceVerbs, path.child('verbs')),
    ...listErrors(asTexts(rule['apiGroups']), path.child('apiGroups')),
    ...listErrors(asTexts(rule['resources']), path.child('resources')),
    ...(namespaces.length === 0 && rule['clusterScope'] !== true
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

function pathRuleErrors(rule: JsonObject, path: FieldPath): FieldError[] {
  const urls = asTexts(rule['nonResourceURLs']);
  const at = path.child('nonResourceURLs');
  return [
    ...verbErrors(asTexts(rule['verbs']), pathVerbs, path.child('verbs')),
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
    [url.slice(0, -1).includes('*'), "'*' may stand at the end only"],
    [url.endsWith('*') && !url.endsWith('/*'), "'*' must stand for a whole segment"],
  ];
  return faults.filter(([isFault]) => isFault).map(([, message]) => invalidField(path, url, message));
}
