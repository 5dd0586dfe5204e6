/** A validation rule for a text; returns error messages, none if the text is valid. */
export type NameRule = (value: string) => string[];

const labelPattern = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const dnsLabel = new RegExp(`^${labelPattern}$`);
const dns1035Label = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;
const dnsSubdomain = new RegExp(`^${labelPattern}(?:\\.${labelPattern})*$`);
const wildcardSubdomain = new RegExp(`^\\*\\.${labelPattern}(?:\\.${labelPattern})*$`);
const qualifiedPart = /^(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

const labelLimit = 63;
const subdomainLimit = 253;

const dnsLabelMessage =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and begin and end with an alphanumeric character (for example 'my-name' or '123-abc')";
const dns1035Message =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', begin with a letter, and end with an alphanumeric character (for example 'my-name' or 'abc-123')";
const dnsSubdomainMessage =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and each part must begin and end with an alphanumeric character (for example 'example.com')";
const wildcardMessage =
  "a wildcard DNS-1123 subdomain must begin with '*.', followed by a lowercase RFC 1123 subdomain (for example '*.example.com')";
const namePartMessage =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and begin and end with an alphanumeric character (for example 'MyName', 'my.name' or '123-abc')";
const qualifiedMessage = `a qualified name must be a name of alphanumeric characters, '-', '_' or '.', with an optional DNS subdomain prefix and '/' (for example 'example.com/MyName')`;
const labelValueMessage =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and begin and end with an alphanumeric character (for example 'MyValue' or '12345')";
const configKeyMessage =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (for example 'key.name' or 'KEY_NAME')";

/** Validates a DNS label (RFC 1123), such as a namespace name: at most 63 characters. */
export function validateDnsLabel(value: string): string[] {
  return bounded(value, labelLimit, dnsLabel, dnsLabelMessage);
}

/** Validates a DNS label that begins with a letter (RFC 1035), such as a Service name: at most 63 characters. */
export function validateDns1035Label(value: string): string[] {
  return bounded(value, labelLimit, dns1035Label, dns1035Message);
}

/** Validates a DNS subdomain (RFC 1123), the rule for most object names: at most 253 characters. */
export function validateDnsSubdomain(value: string): string[] {
  return bounded(value, subdomainLimit, dnsSubdomain, dnsSubdomainMessage);
}

/** Validates a wildcard DNS subdomain (`*.` and a subdomain), such as an Ingress host. */
export function validateWildcardDnsSubdomain(value: string): string[] {
  return bounded(value, subdomainLimit, wildcardSubdomain, wildcardMessage);
}

/** Validates a name that is used as URL path segment (roles, bindings): not `.` or `..`, without `/` and `%`. */
export function validatePathSegmentName(value: string): string[] {
  if (value === '.' || value === '..') return [`must not be '${value}'`];
  return ['/', '%'].filter(mark => value.includes(mark)).map(mark => `must not contain '${mark}'`);
}

/** Validates a qualified name, the form of label and annotation keys: a name with an optional prefix and slash. */
export function validateQualifiedName(value: string): string[] {
  const slash = value.indexOf('/');
  if (slash < 0) return namePartMessages(value);
  if (value.indexOf('/', slash + 1) >= 0) return [qualifiedMessage];
  const prefix = value.slice(0, slash);
  const prefixMessages =
    prefix === ''
      ? ['prefix part must be non-empty']
      : validateDnsSubdomain(prefix).map(m => `prefix part ${m}`);
  return [...prefixMessages, ...namePartMessages(value.slice(slash + 1))];
}

/** Validates a label value: empty, or at most 63 characters of a name. */
export function validateLabelValue(value: string): string[] {
  return value === '' ? [] : bounded(value, labelLimit, qualifiedPart, labelValueMessage);
}

/** Validates a ConfigMap or Secret key: at most 253 characters, neither `.` nor starting with `..`. */
export function validateConfigMapKey(value: string): string[] {
  const messages = bounded(value, subdomainLimit, /^[-._a-zA-Z0-9]+$/, configKeyMessage);
  if (value === '.' || value === '..') messages.push(`must not be '${value}'`);
  else if (value.startsWith('..')) messages.push("must not start with '..'");
  return messages;
}

/** Validates a C identifier. */
export function validateCIdentifier(value: string): string[] {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(value)) return [];
  return ["a valid C identifier must begin with a letter or '_', followed by letters, digits or '_'"];
}

/** Validates an HTTP header name of a probe. */
export function validateHttpHeaderName(value: string): string[] {
  if (/^[-A-Za-z0-9]+$/.test(value)) return [];
  return ["a valid HTTP header must consist of alphanumeric characters or '-' (for example 'X-Header-Name')"];
}

/** Validates a percentage: digits and `%`. */
export function validatePercent(value: string): string[] {
  return /^[0-9]+%$/.test(value)
    ? []
    : ["a valid percentage must consist of digits and a final '%' (for example '93%')"];
}

/** Validates a domain name with at least two segments. */
export function validateFullyQualifiedDomainName(value: string): string[] {
  const name = value.endsWith('.') ? value.slice(0, -1) : value;
  const messages = validateDnsSubdomain(name);
  if (messages.length > 0) return messages;
  if (name.split('.').length < 2) return ['should be a domain with at least two segments separated by dots'];
  const long = name.split('.').some(label => label.length > labelLimit);
  return long ? [`must be no more than ${labelLimit} characters`] : [];
}

/** Validates a name with at least three segments, such as that of an admission webhook. */
export function validateFullyQualifiedName(value: string): string[] {
  if (value === '') return ['must not be empty'];
  const messages = validateDnsSubdomain(value);
  if (messages.length > 0) return messages;
  return value.split('.').length < 3
    ? ['should be a domain with at least three segments separated by dots']
    : [];
}

/** Validates a path with a domain prefix, such as the controller of an IngressClass (`example.com/controller`). */
export function validateDomainPrefixedPath(value: string): string[] {
  const slash = value.indexOf('/');
  if (slash <= 0 || slash === value.length - 1)
    return ['must be a domain-prefixed path (such as "example.com/name")'];
  const messages = validateDnsSubdomain(value.slice(0, slash));
  if (messages.length > 0) return messages;
  return /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(value.slice(slash + 1))
    ? []
    : ['the path may hold only letters, digits and the marks that a URL path allows'];
}

function namePartMessages(name: string): string[] {
  if (name === '') return ['name part must be non-empty', namePartMessage];
  const messages = bounded(name, labelLimit, qualifiedPart, namePartMessage);
  if (messages.length === 0) return messages;
  return messages.map(m => (m.startsWith('must be no more') ? `name part ${m}` : m));
}

/** Validates the length; skips the pattern for texts beyond 65,536 characters, to bound its time. */
function bounded(value: string, limit: number, pattern: RegExp, message: string): string[] {
  const messages: string[] = [];
  if (value.length > limit) messages.push(`must be no more than ${limit} characters`);
  if (value.length > 65_536 || !pattern.test(value)) messages.push(message);
  return messages;
}
