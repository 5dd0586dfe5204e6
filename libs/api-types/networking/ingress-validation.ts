import { isIP } from 'node:net';
import { understood } from '@binnacle/api-names';
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  requiredField,
  validateDns1035Label,
  validateDnsSubdomain,
  validatePortName,
  validatePortNumber,
  validateWildcardDnsSubdomain,
} from '@binnacle/api-objects';
import type {
  HTTPIngressPath,
  Ingress,
  IngressBackend,
  IngressRule,
  IngressServiceBackend,
  IngressTLS,
  ServiceBackendPort,
} from '../generated/networking/v1.ts';
import { localReferenceErrors } from './local-reference-validation.ts';

const spec$ = fieldPath('spec');

/** The annotations that named the class of an Ingress before the field existed. */
const classAnnotations = understood.annotations.ingressClass;

/** Sequences that Exact and Prefix paths must not contain, because they would be normalized to other paths. */
const forbiddenSequences = ['//', '/./', '/../', '%2f', '%2F', '%5c', '%5C'];
const forbiddenEndings = ['/..', '/.'];

/** Validates an Ingress; closed sets of values are validated elsewhere (spec/3, Ingress). */
export function ingressErrors(object: Ingress): FieldError[] {
  const spec = object.spec ?? {};
  const backend = spec.defaultBackend;
  const rules = spec.rules ?? [];
  const className = spec.ingressClassName;
  const errors: FieldError[] = [];
  if (rules.length === 0 && !backend)
    errors.push(invalidField(spec$, rules, 'either `defaultBackend` or `rules` must be specified'));
  if (backend) errors.push(...backendErrors(backend, spec$.child('defaultBackend')));
  errors.push(
    ...rules.flatMap((rule, index) => ruleErrors(rule, spec$.child('rules').index(index))),
    ...(spec.tls ?? []).flatMap((tls, index) => tlsErrors(tls, spec$.child('tls').index(index))),
  );
  if (typeof className === 'string')
    errors.push(
      ...validateDnsSubdomain(className).map(message =>
        invalidField(spec$.child('ingressClassName'), className, message),
      ),
    );
  return errors;
}

/** Refuses a new Ingress with both a class field and a class annotation. */
export function ingressClassConflictErrors(object: Ingress): FieldError[] {
  if (typeof object.spec?.ingressClassName !== 'string') return [];
  const annotations = object.metadata.annotations ?? {};
  return classAnnotations
    .filter(annotation => annotations[annotation] !== undefined)
    .map(annotation =>
      invalidField(
        // kube-apiserver omits metadata from this path.
        fieldPath('annotations', annotation),
        annotations[annotation],
        'can not be set when the class field is also set',
      ),
    );
}

function ruleErrors(rule: IngressRule, path: FieldPath): FieldError[] {
  const host = rule.host ?? '';
  const http = rule.http;
  return [
    ...(host === '' ? [] : hostErrors(host, path.child('host'))),
    ...(http ? pathsErrors(http.paths ?? [], path.child('http', 'paths')) : []),
  ];
}

/** Validates a host: a DNS name whose first label may be `*`, not an IP address. */
function hostErrors(host: string, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (isIP(host) !== 0) errors.push(invalidField(path, host, 'must be a DNS name, not an IP address'));
  return [...errors, ...hostNameErrors(host, path)];
}

function hostNameErrors(host: string, path: FieldPath): FieldError[] {
  const messages = host.includes('*') ? validateWildcardDnsSubdomain(host) : validateDnsSubdomain(host);
  return messages.map(message => invalidField(path, host, message));
}

function pathsErrors(paths: readonly HTTPIngressPath[], path: FieldPath): FieldError[] {
  if (paths.length === 0) return [requiredField(path)];
  return paths.flatMap((entry, index) => [
    ...pathErrors(entry, path.index(index)),
    // Without a path type the backend is not validated.
    ...(entry.pathType ? backendErrors(entry.backend ?? {}, path.index(index).child('backend')) : []),
  ]);
}

function pathErrors(entry: HTTPIngressPath, path: FieldPath): FieldError[] {
  const text = entry.path ?? '';
  const at = path.child('path');
  const absolute = () => invalidField(at, text, 'must be an absolute path');
  switch (entry.pathType ?? '') {
    case '':
      return [requiredField(path.child('pathType'), 'pathType must be specified')];
    case 'ImplementationSpecific':
      return text === '' || text.startsWith('/') ? [] : [absolute()];
    case 'Exact':
    case 'Prefix':
      return [
        ...(text.startsWith('/') ? [] : [absolute()]),
        ...forbiddenSequences
          .filter(sequence => text.includes(sequence))
          .map(sequence => invalidField(at, text, `must not contain '${sequence}'`)),
        ...forbiddenEndings
          .filter(ending => text.endsWith(ending))
          .map(ending => invalidField(at, text, `cannot end with '${ending}'`)),
      ];
    default:
      return [];
  }
}

/** Validates a backend: exactly one of service and resource. */
function backendErrors(backend: IngressBackend, path: FieldPath): FieldError[] {
  const service = backend.service;
  const resource = backend.resource;
  if (service && resource) return [invalidField(path, '', 'cannot set both resource and service backends')];
  if (resource) return localReferenceErrors(resource, path.child('resource'));
  if (service) return serviceErrors(service, path);
  return [invalidField(path, '', 'resource or service backend is required')];
}

function serviceErrors(service: IngressServiceBackend, path: FieldPath): FieldError[] {
  const name = service.name ?? '';
  const at = path.child('service');
  const nameErrors =
    name === ''
      ? [requiredField(at.child('name'))]
      : validateDns1035Label(name).map(message => invalidField(at.child('name'), name, message));
  return [...nameErrors, ...servicePortErrors(service.port ?? {}, path)];
}

function servicePortErrors(port: ServiceBackendPort, path: FieldPath): FieldError[] {
  const name = port.name ?? '';
  const number = port.number ?? 0;
  const at = path.child('service', 'port');
  if (name !== '' && number !== 0) return [invalidField(path, '', 'cannot set both port name & port number')];
  if (name !== '')
    return validatePortName(name).map(message => invalidField(at.child('name'), name, message));
  if (number === 0) return [requiredField(path, 'port name or number is required')];
  return validatePortNumber(number).map(message => invalidField(at.child('number'), number, message));
}

function tlsErrors(tls: IngressTLS, path: FieldPath): FieldError[] {
  const secretName = tls.secretName ?? '';
  return [
    ...(tls.hosts ?? []).flatMap((host, index) => hostNameErrors(host, path.child('hosts').index(index))),
    ...(secretName === ''
      ? []
      : validateDnsSubdomain(secretName).map(message =>
          invalidField(path.child('secretName'), secretName, message),
        )),
  ];
}
