import { join } from 'node:path';
import type { ComposeService, NetworkMembership } from './compose-file.ts';

/** One container of a service. */
export interface ContainerPlace {
  readonly project: string;
  /** The folder that relative paths of the compose file begin at. */
  readonly directory: string;
  readonly service: string;
  /** From 1. */
  readonly number: number;
}

/** Limits of a container whose service names none: without them containers do not start everywhere. */
const defaultUlimits: Readonly<Record<string, number>> = { nofile: 4096, nproc: 8192 };

/** The name of a container, as Docker Compose gives it. */
export function containerName({ project, service, number }: Omit<ContainerPlace, 'directory'>): string {
  return `${project}-${service}-${number}`;
}

/** The name of a network or volume of the project. */
export function ownName(project: string, name: string): string {
  return `${project}_${name}`;
}

/** The arguments after `podman run --detach` for one container of a service. */
export function runArguments(service: ComposeService, place: ContainerPlace): string[] {
  return [
    ...['--name', containerName(place), '--pull=never', '--no-healthcheck'],
    ...['--label', `${place.project}=${place.service}`],
    ...processArguments(service),
    ...limitArguments(service),
    ...networkArguments(service, place),
    ...volumeArguments(service, place),
    ...(service.entrypoint === undefined ? [] : ['--entrypoint', JSON.stringify(service.entrypoint)]),
    service.image,
    ...(service.command ?? []),
  ];
}

function processArguments(service: ComposeService): string[] {
  const { restart = 'no', security_opt: securityOptions = [], stop_grace_period: grace } = service;
  return [
    ...['--restart', restart],
    ...(service.init === true ? ['--init'] : []),
    ...(service.user === undefined ? [] : ['--user', service.user]),
    // Docker makes no folder writable in a read-only container; podman does unless it is told not to.
    ...(service.read_only === true ? ['--read-only', '--read-only-tmpfs=false'] : []),
    ...(service.cap_drop ?? []).flatMap(each => ['--cap-drop', each]),
    ...securityOptions.flatMap(each => ['--security-opt', each]),
    ...(service.tmpfs ?? []).flatMap(each => ['--tmpfs', each]),
    ...(grace === undefined ? [] : ['--stop-timeout', String(parseSeconds(grace))]),
    ...Object.entries(service.environment ?? {}).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
  ];
}

function limitArguments({ deploy, ulimits, logging }: ComposeService): string[] {
  const { cpus, memory, pids } = deploy?.resources?.limits ?? {};
  // podman's driver for files is k8s-file; it rotates them by size and keeps one.
  const maxSize = logging?.options?.['max-size'];
  return [
    ...(cpus === undefined ? [] : ['--cpus', String(cpus)]),
    ...(memory === undefined ? [] : ['--memory', memory]),
    ...(pids === undefined ? [] : ['--pids-limit', String(pids)]),
    ...Object.entries({ ...defaultUlimits, ...ulimits }).flatMap(([name, most]) => [
      '--ulimit',
      `${name}=${most}:${most}`,
    ]),
    ...['--log-driver', 'k8s-file'],
    ...(maxSize === undefined ? [] : ['--log-opt', `max-size=${maxSize}`]),
  ];
}

function networkArguments(service: ComposeService, place: ContainerPlace): string[] {
  if (service.network_mode !== undefined) return ['--network', service.network_mode];
  const published = (service.ports ?? []).flatMap(port => ['--publish', port]);
  return [
    ...Object.entries(findMemberships(service)).flatMap(([network, membership]) => {
      const aliases = [place.service, ...(membership?.aliases ?? [])].map(alias => `alias=${alias}`);
      return ['--network', `${ownName(place.project, network)}:${aliases.join(',')}`];
    }),
    ...published,
  ];
}

/** The networks of a service, whichever of its two forms the file has. */
function findMemberships({
  networks = [],
}: ComposeService): Readonly<Record<string, NetworkMembership | null>> {
  if (!Array.isArray(networks)) return networks as Readonly<Record<string, NetworkMembership | null>>; // The other form.
  return Object.fromEntries(networks.map(name => [name, null]));
}

function volumeArguments({ volumes = [] }: ComposeService, { project, directory }: ContainerPlace): string[] {
  return volumes.flatMap(volume => {
    const [source = '', ...rest] = volume.split(':');
    const from = source.startsWith('.') ? join(directory, source) : ownName(project, source);
    return ['--volume', [from, ...rest].join(':')];
  });
}

/** Seconds of a duration such as `1m30s`. */
export function parseSeconds(duration: string): number {
  const unitSeconds: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001 };
  const parts = [...duration.matchAll(/(\d+)(h|ms|m|s)/g)];
  if (parts.length === 0 || parts.map(([text]) => text).join('') !== duration)
    throw new Error(`${duration} is not a duration`);
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (unitSeconds[unit] ?? 0), 0);
}
