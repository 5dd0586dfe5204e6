import { setTimeout as delay } from 'node:timers/promises';
import { buildImage, isMissing } from './base-images.ts';
import type { ComposeFile, ComposeService, HealthCheck, StartCondition } from './compose-file.ts';
import { type CommandResult, podman, tryPodman } from './podman.ts';
import { type ContainerPlace, containerName, ownName, parseSeconds, runArguments } from './run-arguments.ts';

/** Options of a composition. */
interface CompositionOptions {
  readonly project: string;
  readonly file: ComposeFile;
  /** The same file for the profiles of what is started by hand: commands, and the backup. */
  readonly byHand: ComposeFile;
  /** The folder of the compose file. */
  readonly directory: string;
  readonly report: (line: string) => void;
}

/** Longest time until a container meets the condition under which others start. */
const conditionTimeoutMs = 180_000;

/** The containers of a compose file, run by podman in the order and under the conditions that the file names. */
export class Composition {
  readonly #options: CompositionOptions;
  readonly #imageTests = new Map<string, HealthCheck | undefined>();

  constructor(options: CompositionOptions) {
    this.#options = options;
  }

  /** The services that are run: those whose image is available. */
  get services(): readonly (readonly [name: string, service: ComposeService])[] {
    return Object.entries(this.#options.file.services).filter(([name]) => !this.leftOut.includes(name));
  }

  /** The services whose image is not available here. */
  get leftOut(): readonly string[] {
    return Object.entries(this.#options.file.services)
      .filter(([, { build, image }]) => build === undefined && isMissing(image))
      .map(([name]) => name);
  }

  /** The names of a service's containers. */
  listContainers(service: string): readonly string[] {
    return this.#listPlaces(service).map(containerName);
  }

  /** The service of the profile that is meant by a name: itself, the one of backends of three, or the first of three. */
  serviceMeantBy(name: string): string {
    const found = [name, `${name}-ha`, `${name}-1`].find(each => each in this.#options.file.services);
    if (found === undefined) throw new Error(`the profile has no service ${name}`);
    return found;
  }

  /** The name of a network or volume of the file. */
  nameOf(name: string): string {
    return ownName(this.#options.project, name);
  }

  /** Builds the images that the file builds. */
  async build(): Promise<void> {
    const { directory, report } = this.#options;
    const built = new Set<string>();
    for (const { build, image } of [...this.services.map(([, service]) => service), ...this.#commands()]) {
      if (build === undefined || built.has(image)) continue;
      built.add(image);
      report(`building ${image}`);
      const context = `${directory}/${build.context}`;
      await buildImage({
        image,
        target: build.target,
        file: `${directory}/${build.dockerfile}`,
        context,
        ...(build.args && { args: build.args }),
      });
    }
  }

  /** Starts everything; resolves once every container is healthy or has ended as it should. */
  async up(): Promise<void> {
    const { file, project } = this.#options;
    for (const [name, network] of Object.entries(file.networks)) {
      const subnets = (network?.ipam?.config ?? []).flatMap(({ subnet }) => ['--subnet', subnet]);
      const internal = network?.internal === true ? ['--internal'] : [];
      await podman(['network', 'create', ...internal, ...subnets, ownName(project, name)]);
    }
    for (const name of Object.keys(file.volumes)) await podman(['volume', 'create', ownName(project, name)]);
    const started = new Map<string, Promise<void>>();
    const start = (name: string): Promise<void> => {
      const known = started.get(name);
      if (known !== undefined) return known;
      const starting = this.#startAfterOthers(name, start);
      started.set(name, starting);
      return starting;
    };
    await Promise.all(this.services.map(([name]) => start(name)));
    await this.allHealthy();
  }

  /** Resolves once every container that stays is healthy. */
  async allHealthy(): Promise<void> {
    await Promise.all(
      this.services
        .filter(([name]) => !this.#ends(name))
        .map(([name]) => this.#reach(name, 'service_healthy')),
    );
  }

  /** Removes the containers, networks and volumes of the project. */
  async down(): Promise<void> {
    const { file, project } = this.#options;
    const names = (await podman(['ps', '--all', '--format', '{{.Names}}'])).split('\n');
    const own = names.filter(name => name.startsWith(`${project}-`));
    if (own.length > 0) await tryPodman(['rm', '--force', '--time', '1', ...own], { timeoutMs: 120_000 });
    for (const name of Object.keys(file.networks))
      await tryPodman(['network', 'rm', '--force', ownName(project, name)]);
    for (const name of Object.keys(file.volumes))
      await tryPodman(['volume', 'rm', '--force', ownName(project, name)]);
  }

  /** Starts one more container of a service, with other volumes or flags; its name. */
  async runVariant(
    service: string,
    name: string,
    change: (service: ComposeService) => ComposeService,
  ): Promise<string> {
    const place = { ...this.#place(service, 1), service: name };
    const { restart: _, ...variant } = change(this.#serviceNamed(service));
    await podman(['run', '--detach', ...runArguments(variant, place)]);
    return containerName(place);
  }

  /** Runs a service that is started by hand to its end, as `docker compose run --rm SERVICE ARGUMENT…` does. */
  async runCommand(
    service: string,
    args: readonly string[],
    change: (service: ComposeService) => ComposeService = each => each,
  ): Promise<CommandResult> {
    const place = { ...this.#place(service, 1), service: `${service}-run` };
    const command = { ...change(this.#byHand(service)), command: args };
    return await tryPodman(['run', '--rm', ...runArguments(command, place)], { timeoutMs: 180_000 });
  }

  /** Starts a service that is started by hand, as `docker compose up --detach SERVICE` does; its container, which takes the place of an earlier one. */
  async startByHand(service: string): Promise<string> {
    const place = this.#place(service, 1);
    await tryPodman(['rm', '--force', '--time', '10', containerName(place)]);
    await podman(['run', '--detach', ...runArguments(this.#byHand(service), place)]);
    return containerName(place);
  }

  /** Stops the containers of services, in this order. */
  async stop(services: readonly string[]): Promise<void> {
    for (const name of services) await podman(['stop', ...this.listContainers(name)], { timeoutMs: 180_000 });
  }

  /** Starts the stopped containers of services, and resolves once each is healthy. */
  async start(services: readonly string[]): Promise<void> {
    for (const name of services) {
      await podman(['start', ...this.listContainers(name)], { timeoutMs: 120_000 });
      await this.#reach(this.serviceMeantBy(name), 'service_healthy');
    }
  }

  /** Makes containers of services anew, the volumes of these names empty, and resolves once each is healthy or has ended as it should. */
  async recreate(services: readonly string[], volumes: readonly string[]): Promise<void> {
    for (const name of services)
      await tryPodman(['rm', '--force', '--time', '10', ...this.listContainers(name)], { timeoutMs: 60_000 });
    for (const name of volumes) {
      await podman(['volume', 'rm', '--force', this.nameOf(name)]);
      await podman(['volume', 'create', this.nameOf(name)]);
    }
    for (const name of services)
      for (const place of this.#listPlaces(name))
        await podman(['run', '--detach', ...runArguments(this.#serviceNamed(name), place)]);
    for (const name of services)
      await this.#reach(name, this.#ends(name) ? 'service_completed_successfully' : 'service_healthy');
  }

  /** Runs the health check of a container; undefined where it has none. */
  async checkHealth(service: string, container: string): Promise<CommandResult | undefined> {
    const command = await this.readHealthCommand(service);
    if (command === undefined) return undefined;
    const { timeout = '30s' } = (await this.#findHealthCheck(service)) ?? {};
    return tryPodman(['exec', container, ...command], { timeoutMs: parseSeconds(timeout) * 1000 });
  }

  /** The command that tells the health of a service's containers; undefined where there is none. */
  async readHealthCommand(service: string): Promise<readonly string[] | undefined> {
    const check = await this.#findHealthCheck(service);
    if (check === undefined) return undefined;
    const [kind = '', ...rest] = check.test;
    return kind === 'CMD-SHELL' ? ['/bin/sh', '-c', ...rest] : rest;
  }

  async #startAfterOthers(name: string, start: (name: string) => Promise<void>): Promise<void> {
    const service = this.#serviceNamed(name);
    await Promise.all(
      Object.entries(service.depends_on ?? {}).map(async ([other, { condition }]) => {
        await start(other);
        await this.#reach(other, condition);
      }),
    );
    this.#options.report(`starting ${name}`);
    for (const place of this.#listPlaces(name))
      await podman(['run', '--detach', ...runArguments(service, place)], { timeoutMs: 120_000 });
  }

  async #reach(name: string, condition: StartCondition): Promise<void> {
    if (condition === 'service_started') return;
    const end = performance.now() + conditionTimeoutMs;
    for (const container of this.listContainers(name)) {
      let last = '';
      for (;;) {
        if (condition === 'service_completed_successfully') {
          if ((await this.#exitCode(name, container)) === 0) break;
        } else {
          const result = await this.checkHealth(name, container);
          if (result === undefined || result.code === 0) break;
          last = result.text.slice(-500);
        }
        if (performance.now() > end) throw new Error(await this.#failure(container, condition, last));
        await delay(500);
      }
    }
  }

  /** The code with which a container ended; undefined while it runs, or is started again. */
  async #exitCode(service: string, container: string): Promise<number | undefined> {
    const format = '{{.State.Status}} {{.State.ExitCode}}';
    const [status, code] = (await podman(['inspect', '--format', format, container])).split(' ');
    if (status !== 'exited') return undefined;
    const { restart = 'no' } = this.#serviceNamed(service);
    if (code !== '0' && restart === 'no')
      throw new Error(await this.#failure(container, 'service_completed_successfully', `exit code ${code}`));
    return Number(code);
  }

  async #failure(container: string, condition: string, last: string): Promise<string> {
    const { text } = await tryPodman(['logs', '--tail', '30', container]);
    return `${container} does not come to ${condition}: ${last}\n${text}`;
  }

  /** The health check of a service in the file, or else that of its image. */
  async #findHealthCheck(name: string): Promise<HealthCheck | undefined> {
    const { healthcheck, image } = this.#serviceNamed(name);
    if (healthcheck !== undefined) return healthcheck;
    if (!this.#imageTests.has(image)) {
      const found = await podman(['image', 'inspect', image]);
      const [description] = JSON.parse(found) as { Healthcheck?: { Test: string[] } }[]; // podman's own format.
      const test = description?.Healthcheck?.Test ?? [];
      this.#imageTests.set(image, test.length === 0 || test[0] === 'NONE' ? undefined : { test });
    }
    return this.#imageTests.get(image);
  }

  /** Whether containers of a service end by themselves. */
  #ends(name: string): boolean {
    const others = Object.values(this.#options.file.services);
    return others.some(
      ({ depends_on: dependencies }) => dependencies?.[name]?.condition === 'service_completed_successfully',
    );
  }

  #serviceNamed(name: string): ComposeService {
    const service = this.#options.file.services[this.serviceMeantBy(name)];
    if (service === undefined) throw new Error(`the compose file has no service ${name}`);
    return service;
  }

  #commands(): readonly ComposeService[] {
    return Object.values(this.#options.byHand.services);
  }

  #byHand(name: string): ComposeService {
    const service = this.#options.byHand.services[name];
    if (service === undefined)
      throw new Error(`the compose file has no service ${name} that is started by hand`);
    const isOfThree = 'etcd-1' in this.#options.file.services;
    // As the file says of backends of three.
    const endpoints = isOfThree ? { BINNACLE_ETCD_ENDPOINTS: 'https://etcd-1:2379' } : {};
    return { ...service, environment: { ...service.environment, ...endpoints } };
  }

  #place(service: string, number: number): ContainerPlace {
    const { project, directory } = this.#options;
    return { project, directory, service, number };
  }

  #listPlaces(name: string): readonly ContainerPlace[] {
    const replicas = this.#serviceNamed(name).deploy?.replicas ?? 1;
    const service = this.serviceMeantBy(name);
    return Array.from({ length: replicas }, (_, index) => this.#place(service, index + 1));
  }
}
