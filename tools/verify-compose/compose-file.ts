import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** A health check of the compose file. */
export interface HealthCheck {
  readonly test: readonly string[];
  readonly interval?: string;
  readonly timeout?: string;
  readonly start_period?: string;
  readonly retries?: number;
}

/** The conditions under which a container may start after another. */
export type StartCondition = 'service_started' | 'service_healthy' | 'service_completed_successfully';

/** The membership of a service in a network. */
export interface NetworkMembership {
  readonly aliases?: readonly string[];
}

/** One service as the compose file has it, with variables in place; keys as in the file. */
export interface ComposeService {
  readonly build?: {
    readonly context: string;
    readonly dockerfile: string;
    readonly target: string;
    /** Build arguments by name. */
    readonly args?: Readonly<Record<string, string>>;
  };
  readonly image: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly user?: string;
  readonly restart?: string;
  readonly init?: boolean;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly ulimits?: Readonly<Record<string, number>>;
  readonly logging?: { readonly driver: string; readonly options?: Readonly<Record<string, string>> };
  readonly stop_grace_period?: string;
  readonly network_mode?: string;
  readonly networks?: readonly string[] | Readonly<Record<string, NetworkMembership | null>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly profiles?: readonly string[];
  readonly healthcheck?: HealthCheck;
  /** The dependencies, without those of another profile that are not required. */
  readonly depends_on?: Readonly<Record<string, Dependency>>;
  readonly deploy?: {
    readonly replicas?: number;
    readonly resources?: {
      readonly limits?: { readonly cpus?: string; readonly memory?: string; readonly pids?: number };
    };
  };
}

/** A network of the compose file. */
interface ComposeNetwork {
  readonly internal?: boolean;
  readonly ipam?: { readonly config: readonly { readonly subnet: string }[] };
}

/** The compose file, with variables in place. */
export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, ComposeNetwork | null>>;
  readonly volumes: Readonly<Record<string, null>>;
}

const serviceKeys: readonly string[] = [
  ...['build', 'image', 'entrypoint', 'command', 'environment', 'user', 'restart', 'init', 'read_only'],
  ...['cap_drop', 'security_opt', 'tmpfs', 'ulimits', 'logging', 'stop_grace_period', 'network_mode'],
  ...['networks', 'ports', 'volumes', 'profiles', 'healthcheck', 'depends_on', 'deploy'],
];

interface Dependency {
  readonly condition: StartCondition;
  readonly required?: boolean;
}

/** The keys that are allowed at a path of the file; others are errors, because they would have no effect. */
const knownKeys: readonly (readonly [path: RegExp, keys: readonly string[]])[] = [
  [/^$/, ['name', 'services', 'networks', 'volumes']],
  [/^services\/[^/]+$/, serviceKeys],
  [/^services\/[^/]+\/build$/, ['context', 'dockerfile', 'target', 'args']],
  [/^services\/[^/]+\/build\/args$/, ['GIT_COMMIT', 'GIT_TREE_STATE', 'BUILD_DATE']],
  [/^services\/[^/]+\/healthcheck$/, ['test', 'interval', 'timeout', 'start_period', 'retries']],
  [/^services\/[^/]+\/depends_on\/[^/]+$/, ['condition', 'required']],
  [/^services\/[^/]+\/logging$/, ['driver', 'options']],
  [/^services\/[^/]+\/networks\/[^/]+$/, ['aliases']],
  [/^services\/[^/]+\/deploy$/, ['replicas', 'resources']],
  [/^services\/[^/]+\/deploy\/resources$/, ['limits']],
  [/^services\/[^/]+\/deploy\/resources\/limits$/, ['cpus', 'memory', 'pids']],
  [/^networks\/[^/]+$/, ['internal', 'ipam']],
  [/^networks\/[^/]+\/ipam$/, ['config']],
  [/^networks\/[^/]+\/ipam\/config\/\d+$/, ['subnet']],
];

/** Reads a compose file for one profile or several, separated by commas; throws where it has a key that this reader does not know. */
export function readComposeFile(
  file: string,
  variables: Readonly<Record<string, string | undefined>>,
  profiles: string,
): ComposeFile {
  return parseComposeFile(readFileSync(file, 'utf8'), variables, profiles);
}

/** The same for the text of the file. */
export function parseComposeFile(
  text: string,
  variables: Readonly<Record<string, string | undefined>>,
  profiles: string,
): ComposeFile {
  const wanted = profiles.split(',');
  const { services, networks, volumes, ...others } = parse(text, { merge: true }) as Record<string, object>; // A mapping, or `assertKnown` throws.
  // Keys that begin with x- are the file's own: anchors that are merged elsewhere.
  const rest = Object.fromEntries(Object.entries(others).filter(([key]) => !key.startsWith('x-')));
  const raw = { ...rest, services: services ?? {}, networks: networks ?? {}, volumes: volumes ?? {} };
  assertKnown(raw, '');
  const whole = interpolated(raw, variables) as ComposeFile; // Its keys are known; the file is the project's own.
  const chosen = Object.entries(whole.services).filter(([, service]) =>
    (service.profiles ?? wanted).some(profile => wanted.includes(profile)),
  );
  const names = new Set(chosen.map(([name]) => name));
  return {
    ...whole,
    services: Object.fromEntries(
      chosen.map(([name, service]) => [name, withoutAbsent(service, each => names.has(each))]),
    ),
  };
}

function withoutAbsent(service: ComposeService, isThere: (name: string) => boolean): ComposeService {
  if (service.depends_on === undefined) return service;
  const kept = Object.entries(service.depends_on).filter(
    ([name, { required }]) => required !== false || isThere(name),
  );
  return { ...service, depends_on: Object.fromEntries(kept) };
}

function assertKnown(value: unknown, path: string): void {
  if (typeof value !== 'object' || value === null) return;
  const known = knownKeys.find(([pattern]) => pattern.test(path))?.[1];
  for (const [key, inner] of Object.entries(value)) {
    if (known !== undefined && !Array.isArray(value) && !known.includes(key))
      throw new Error(`the compose file has ${path}/${key}, which this program does not know`);
    assertKnown(inner, path === '' ? key : `${path}/${key}`);
  }
}

const variable = /\$(?:\$|\{([A-Z0-9_]+)(?::-([^}]*))?\}|([A-Z0-9_]+))/gi;

function interpolated(value: unknown, variables: Readonly<Record<string, string | undefined>>): unknown {
  if (typeof value === 'string') {
    return value.replace(variable, (whole, braced?: string, fallback?: string, bare?: string) => {
      if (whole === '$$') return '$';
      return variables[braced ?? bare ?? ''] || (fallback ?? '');
    });
  }
  if (Array.isArray(value)) return value.map(each => interpolated(each, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, interpolated(inner, variables)]),
  );
}
