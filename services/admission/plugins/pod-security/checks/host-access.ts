import type { Container } from '@binnacle/api-types/core/v1';
import type { CheckDefinition, Confined } from './check.ts';
import { containersThat, offendersText, quoted } from './offenders.ts';

/** Refuses host namespaces. */
export const hostNamespaces: CheckDefinition = {
  id: 'hostNamespaces',
  level: 'baseline',
  versions: [
    {
      from: 0,
      check: ({ spec }) => {
        const opened = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter(field => spec[field] === true);
        if (opened.length === 0) return undefined;
        return { rule: 'host namespaces', detail: opened.map(field => `${field}=true`).join(', ') };
      },
    },
  ],
};

/** Refuses hostPath volumes. */
export const hostPathVolumes: CheckDefinition = {
  id: 'hostPathVolumes',
  level: 'baseline',
  versions: [
    {
      from: 0,
      check: ({ spec }) => {
        const names = (spec.volumes ?? [])
          .filter(({ hostPath }) => hostPath !== undefined)
          .map(({ name = '' }) => name);
        if (names.length === 0) return undefined;
        return { rule: 'hostPath volumes', detail: `volume${names.length > 1 ? 's' : ''} ${quoted(names)}` };
      },
    },
  ],
};

/** Refuses host ports. */
export const hostPorts: CheckDefinition = {
  id: 'hostPorts',
  level: 'baseline',
  versions: [
    {
      from: 0,
      check: ({ spec }) => {
        const hostPortsFromContainer = ({ ports = [] }: Container) =>
          ports.map(({ hostPort = 0 }) => hostPort).filter(port => port !== 0);
        const found = containersThat(spec, container => hostPortsFromContainer(container).length > 0);
        if (found.length === 0) return undefined;
        const ports = [...new Set(found.flatMap(hostPortsFromContainer))].sort((a, b) => a - b);
        const uses = `hostPort${ports.length > 1 ? 's' : ''} ${ports.join(', ')}`;
        return { rule: 'hostPort', detail: `${offendersText(false, found)} must not use ${uses}` };
      },
    },
  ],
};

/** Refuses privileged containers. */
export const privilegedContainers: CheckDefinition = {
  id: 'privileged',
  level: 'baseline',
  versions: [
    {
      from: 0,
      check: ({ spec }) => {
        const found = containersThat(spec, container => container.securityContext?.privileged === true);
        if (found.length === 0) return undefined;
        const who = offendersText(false, found);
        return { rule: 'privileged', detail: `${who} must not set securityContext.privileged=true` };
      },
    },
  ],
};

/** Refuses Windows HostProcess containers. */
export const windowsHostProcess: CheckDefinition = {
  id: 'windowsHostProcess',
  level: 'baseline',
  versions: [
    {
      from: 0,
      check: ({ spec }) => {
        const isHostProcess = ({ securityContext }: Confined) =>
          securityContext?.windowsOptions?.hostProcess === true;
        const found = containersThat(spec, isHostProcess);
        const isPod = isHostProcess(spec);
        if (found.length === 0 && !isPod) return undefined;
        const who = offendersText(isPod, found);
        return {
          rule: 'hostProcess',
          detail: `${who} must not set securityContext.windowsOptions.hostProcess=true`,
        };
      },
    },
  ],
};
