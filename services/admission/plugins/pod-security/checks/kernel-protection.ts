import { understood } from '@binnacle/api-names';
import type { Container } from '@binnacle/api-types/core/v1';
import type { CheckDefinition, Confined } from './check.ts';
import { containersThat, offendersText, quoted } from './offenders.ts';

const appArmorPrefixes = understood.annotations.appArmor;

/** Restricts AppArmor profiles to the runtime's default and local profiles. */
export const appArmorProfile: CheckDefinition = {
  id: 'appArmorProfile',
  level: 'baseline',
  versions: [
    {
      from: 0,
      check: ({ metadata }) => {
        const found = Object.entries(metadata.annotations ?? {}).filter(
          ([key, value]) =>
            appArmorPrefixes.some(prefix => key.startsWith(prefix)) &&
            value !== '' &&
            value !== 'runtime/default' &&
            !value.startsWith('localhost/'),
        );
        if (found.length === 0) return undefined;
        const listed = found.map(([key, value]) => `${key}=${JSON.stringify(value)}`).sort();
        return { rule: 'forbidden AppArmor profile', detail: `annotation ${listed.join(', ')}` };
      },
    },
  ],
};

/** Requires the default mask of /proc. */
export const procMount: CheckDefinition = {
  id: 'procMount',
  level: 'baseline',
  versions: [
    {
      from: 0,
      check: ({ spec }) => {
        const readProcMount = ({ securityContext }: Container): string => securityContext?.procMount ?? '';
        const found = containersThat(spec, container => !['', 'Default'].includes(readProcMount(container)));
        if (found.length === 0) return undefined;
        const who = offendersText(false, found);
        const values = quoted(found.map(readProcMount));
        return { rule: 'procMount', detail: `${who} must not set securityContext.procMount to ${values}` };
      },
    },
  ],
};

const labelTypes = ['', 'container_t', 'container_init_t', 'container_kvm_t'];

/** Restricts SELinux types, and refuses SELinux users and roles. */
export const seLinuxOptions: CheckDefinition = {
  id: 'seLinuxOptions',
  level: 'baseline',
  versions: [
    {
      from: 0,
      check: ({ spec }) => {
        const findProblems = ({ securityContext }: Confined): string[] => {
          const { type = '', ...options } = securityContext?.seLinuxOptions ?? {};
          const named = (['user', 'role'] as const).filter(field => (options[field] ?? '') !== '');
          return [
            ...(labelTypes.includes(type) ? [] : [`type ${JSON.stringify(type)}`]),
            ...named.map(field => `${field} ${JSON.stringify(options[field])}`),
          ];
        };
        const found = containersThat(spec, container => findProblems(container).length > 0);
        const ofPod = findProblems(spec);
        if (found.length === 0 && ofPod.length === 0) return undefined;
        const problems = [...new Set([...ofPod, ...found.flatMap(findProblems)])].sort();
        const who = offendersText(ofPod.length > 0, found);
        return { rule: 'seLinuxOptions', detail: `${who} set forbidden ${problems.join(', ')}` };
      },
    },
  ],
};

const safeSysctls = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
];

/** Restricts sysctls to those that are isolated in a pod. */
export const sysctls: CheckDefinition = {
  id: 'sysctls',
  level: 'baseline',
  versions: [
    {
      from: 0,
      check: ({ spec }) => {
        const found = (spec.securityContext?.sysctls ?? [])
          .map(({ name = '' }) => name)
          .filter(name => !safeSysctls.includes(name));
        return found.length === 0 ? undefined : { rule: 'forbidden sysctls', detail: found.join(', ') };
      },
    },
  ],
};
