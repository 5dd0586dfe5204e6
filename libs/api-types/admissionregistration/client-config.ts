import {
  type FieldError,
  type FieldPath,
  invalidField,
  requiredField,
  validateDnsSubdomain,
  validatePortNumber,
} from '@binnacle/api-objects';
import type { ServiceReference, WebhookClientConfig } from '../generated/admissionregistration/v1.ts';

/** Validates the client configuration of a webhook: either an https URL or a service. */
export function clientConfigErrors(config: WebhookClientConfig, path: FieldPath): FieldError[] {
  const { service, url } = config;
  const hasUrl = typeof url === 'string';
  if (hasUrl === (service !== undefined))
    return [requiredField(path, 'exactly one of url or service is required')];
  return service ? serviceErrors(service, path.child('service')) : urlErrors(url ?? '', path.child('url'));
}

function urlErrors(text: string, path: FieldPath): FieldError[] {
  const url = parseUrl(text);
  if (!url) return [requiredField(path, 'url must be a valid URL; desired format: https://host[/path]')];
  const faults: [boolean, string][] = [
    [url.scheme !== 'https', "'https' is the only allowed URL scheme; desired format: https://host[/path]"],
    [url.host === '', 'host must be specified; desired format: https://host[/path]'],
    [url.user !== undefined, 'user information is not permitted in the URL'],
    [url.fragment !== '', 'fragments are not permitted in the URL'],
    [url.query !== '', 'query parameters are not permitted in the URL'],
  ];
  return faults.filter(([isFault]) => isFault).map(([, message]) => invalidField(path, text, message));
}

/** The parts of a URL as written, without normalization: a normalizing parser would add a missing host. */
interface UrlParts {
  /** In lower case; '' if absent. */
  readonly scheme: string;
  /** Includes the port; '' if absent. */
  readonly host: string;
  readonly user: string | undefined;
  readonly query: string;
  readonly fragment: string;
}

const form =
  /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/(?:([^/?#]*)@)?([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;
const host = /^(?:[A-Za-z0-9._~!$&'()*+,;=-]*|\[[0-9A-Fa-f:.]+\])(?::[0-9]*)?$/;

/** Splits a URL into its parts; undefined for invalid text and for URLs that could not be called even with a scheme and a host. */
function parseUrl(text: string): UrlParts | undefined {
  if (/[^\P{Cc}\u0080-\u009f]/u.test(text)) return undefined;
  const [, scheme = '', user, authority = '', path = '', query = '', fragment = ''] = form.exec(text) ?? [];
  const isEscaped = !/%(?![0-9A-Fa-f]{2})/.test(path + fragment);
  const hasScheme = scheme !== '' || !/^[^/]*:/.test(path);
  if (!host.test(authority) || !isEscaped || !hasScheme) return undefined;
  if (scheme !== '' && authority !== '' && !URL.canParse(text)) return undefined;
  return { scheme: scheme.toLowerCase(), host: authority, user, query, fragment };
}

function serviceErrors(service: ServiceReference, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ['namespace', 'name'] as const)
    if ((service[field] ?? '') === '')
      errors.push(requiredField(path.child(field), `a service ${field} is required`));
  const { port } = service;
  if (typeof port === 'number')
    errors.push(...validatePortNumber(port).map(message => invalidField(path.child('port'), port, message)));
  const urlPath = service.path ?? '';
  if (urlPath !== '') errors.push(...urlPathErrors(urlPath, path.child('path')));
  return errors;
}

function urlPathErrors(urlPath: string, path: FieldPath): FieldError[] {
  if (urlPath === '/') return [];
  const errors = urlPath.startsWith('/') ? [] : [invalidField(path, urlPath, 'must begin with "/"')];
  const segments = (urlPath.endsWith('/') ? urlPath.slice(1, -1) : urlPath.slice(1)).split('/');
  for (const [index, segment] of segments.entries()) {
    const messages = segment === '' ? ['may not be empty'] : validateDnsSubdomain(segment);
    errors.push(...messages.map(message => invalidField(path, urlPath, `segment ${index}: ${message}`)));
  }
  return errors;
}
