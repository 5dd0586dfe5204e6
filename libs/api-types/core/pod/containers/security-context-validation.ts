import {
  duplicateField,
  type FieldError,
  type FieldPath,
  invalidField,
  isNumber,
  requiredField,
  validateDnsSubdomain,
  validateProcessId,
} from '@binnacle/api-objects';
import type {
  PodSpec,
  SeccompProfile,
  SecurityContext,
  Sysctl,
  WindowsSecurityContextOptions,
} from '../../../generated/core/v1.ts';
import { isRepeated } from '../../../values/repeated-values.ts';
import { descendingPathErrors } from '../../volume/volume-source-validation.ts';

const longestSysctl = 253;
const sysctlForm = /^(?:[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/;
const longestCredentialSpec = 64 * 1024;
const longestDomain = 256;
const longestUser = 104;

/** Validates the security context of a pod. */
export function podSecurityContextErrors(spec: PodSpec, path: FieldPath): FieldError[] {
  const context = spec.securityContext ?? {};
  const errors = [...processErrors(context, ['fsGroup', 'runAsUser', 'runAsGroup'], path)];
  for (const [index, group] of (context.supplementalGroups ?? []).entries())
    if (isNumber(group))
      errors.push(
        ...validateProcessId(group).map(message =>
          invalidField(path.child('supplementalGroups').index(index), group, message),
        ),
      );
  if (spec.shareProcessNamespace === true && spec.hostPID === true)
    errors.push(
      invalidField(
        path.child('shareProcessNamespace'),
        true,
        'ShareProcessNamespace and HostPID cannot both be enabled',
      ),
    );
  return [
    ...errors,
    ...sysctlErrors(context.sysctls ?? [], path.child('sysctls')),
    ...commonErrors(context, path),
  ];
}

/** Validates the security context of one container. */
export function securityContextErrors(context: SecurityContext, path: FieldPath): FieldError[] {
  const errors = [
    ...processErrors(context, ['runAsUser', 'runAsGroup'], path),
    ...commonErrors(context, path),
  ];
  if (context.allowPrivilegeEscalation !== false) return errors;
  const gains: string[] = [];
  if (context.privileged === true) gains.push('`privileged` to true');
  if ((context.capabilities?.add ?? []).includes('CAP_SYS_ADMIN'))
    gains.push('`capabilities.add` to CAP_SYS_ADMIN');
  return [
    ...errors,
    ...gains.map(gain =>
      invalidField(path, context, `cannot set \`allowPrivilegeEscalation\` to false and ${gain}`),
    ),
  ];
}

function commonErrors(context: SecurityContext, path: FieldPath): FieldError[] {
  const seccomp = context.seccompProfile;
  const windows = context.windowsOptions;
  return [
    ...(seccomp ? seccompErrors(seccomp, path.child('seccompProfile')) : []),
    ...(windows ? windowsErrors(windows, path.child('windowsOptions')) : []),
  ];
}

function processErrors<Field extends string>(
  context: { readonly [key in Field]?: number | bigint },
  fields: readonly Field[],
  path: FieldPath,
): FieldError[] {
  return fields.flatMap(field => {
    const id = context[field];
    if (id === undefined) return [];
    return validateProcessId(id).map(message => invalidField(path.child(field), id, message));
  });
}

function seccompErrors(profile: SeccompProfile, path: FieldPath): FieldError[] {
  const type: string = profile.type ?? '';
  const { localhostProfile: file } = profile;
  const at = path.child('localhostProfile');
  const errors =
    type === '' ? [requiredField(path.child('type'), 'type is required when seccompProfile is set')] : [];
  if (type !== 'Localhost')
    return file === undefined
      ? errors
      : [...errors, invalidField(at, profile, 'can only be set when seccomp type is Localhost')];
  return file === undefined
    ? [requiredField(at, 'must be set when seccomp type is Localhost')]
    : descendingPathErrors(file, at);
}

function sysctlErrors(sysctls: readonly Sysctl[], path: FieldPath): FieldError[] {
  const names = sysctls.map(sysctl => sysctl.name ?? '');
  return sysctls.flatMap((_, index) => {
    const at = path.index(index).child('name');
    const name = names[index] ?? '';
    if (name === '') return [requiredField(at)];
    if (name.length > longestSysctl || !sysctlForm.test(name))
      return [
        invalidField(
          at,
          name,
          `must have at most ${longestSysctl} characters and consist of parts of lower case letters, digits, '-' and '_', separated by '.' or '/'`,
        ),
      ];
    return isRepeated(names, index) ? [duplicateField(at, name)] : [];
  });
}

function windowsErrors(options: WindowsSecurityContextOptions, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const specName = options.gmsaCredentialSpecName;
  if (typeof specName === 'string')
    errors.push(
      ...validateDnsSubdomain(specName).map(message =>
        invalidField(path.child('gmsaCredentialSpecName'), specName, message),
      ),
    );
  const spec = options.gmsaCredentialSpec;
  if (typeof spec === 'string' && (spec === '' || Buffer.byteLength(spec) > longestCredentialSpec))
    errors.push(invalidField(path.child('gmsaCredentialSpec'), spec, 'must have between 1 byte and 64 KiB'));
  const user = options.runAsUserName;
  if (typeof user === 'string')
    errors.push(
      ...windowsUserMessages(user).map(message => invalidField(path.child('runAsUserName'), user, message)),
    );
  return errors;
}

const netBiosDomain = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const dnsDomain =
  /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

/** Validates a Windows user name, with or without a domain before a backslash. */
function windowsUserMessages(text: string): string[] {
  if (text === '') return ['must not be empty'];
  if (/[^\P{Cc}\u0080-\u009f]/u.test(text)) return ['must not contain control characters'];
  const parts = text.split('\\');
  if (parts.length > 2) return ['must not contain more than one backslash'];
  const [domain, user = ''] = parts.length === 2 ? parts : [undefined, parts[0]];
  const messages: string[] = [];
  if (domain !== undefined && domain.length >= longestDomain)
    messages.push(`the domain must have fewer than ${longestDomain} characters`);
  if (domain !== undefined && !netBiosDomain.test(domain) && !dnsDomain.test(domain))
    messages.push('the domain must be a name of NetBIOS or DNS');
  if (user === '') messages.push('the user must not be empty');
  if (user.length > longestUser) messages.push(`the user must have at most ${longestUser} characters`);
  if (/^[. ]+$/.test(user)) messages.push('the user must not consist of periods or spaces only');
  if (/["/\\:;|=,+*?<>@[\]]/.test(user))
    messages.push('the user must not contain the following characters: "/\\:;|=,+*?<>@[]');
  return messages;
}
