import { isDeepStrictEqual } from 'node:util';
import { createFlow, type Flow, type FlowMeters } from '../fair-queuing/flow.ts';
import { type QueueClock, QueueSet, type StartGate } from '../fair-queuing/queue-set.ts';
import type { LevelConfig, LevelLimits } from './level-config.ts';
import { type DemandOfPeriod, SeatDemand } from './seat-demand.ts';

/** Options of priority levels. */
interface PriorityLevelsOptions {
  readonly clock: QueueClock;
  readonly gate: StartGate;
  /** Seats that all levels share. */
  readonly serverSeats: number;
  readonly waitLimitMs: number;
  /** Called whenever the seats of a level are divided anew. */
  readonly onSeats?: (level: PriorityLevel, demand: DemandOfPeriod | undefined) => void;
}

/** The seats of a level: what it is configured to have, the bounds of lending and borrowing, and what it has now. */
interface LevelSeats {
  readonly nominal: number;
  readonly least: number;
  readonly most: number;
  readonly current: number;
}

/** A priority level that is served. */
export interface PriorityLevel {
  readonly config: LevelConfig;
  /** Undefined for a level without limits. */
  readonly set: QueueSet | undefined;
  readonly seats: LevelSeats | undefined;
  /** Whether it is gone from the configuration, and only finishes what it has begun. */
  readonly isQuiescing: boolean;
  /** Requests without limits that execute. */
  exempted: number;
}

interface MutableLevel extends PriorityLevel {
  config: LevelConfig;
  seats: LevelSeats | undefined;
  isQuiescing: boolean;
  readonly demand: SeatDemand | undefined;
  /** By schema and distinguisher. */
  readonly flows: Map<string, Flow>;
}

/** Flows that a level keeps; when there are more, those without requests are forgotten. */
const maxFlows = 4096;

/** The priority levels of one server, which share its seats. */
export class PriorityLevels {
  readonly #options: PriorityLevelsOptions;
  readonly #levels = new Map<string, MutableLevel>();

  constructor(options: PriorityLevelsOptions) {
    this.#options = options;
  }

  get all(): readonly PriorityLevel[] {
    return [...this.#levels.values()].toSorted((a, b) => (a.config.name < b.config.name ? -1 : 1));
  }

  get(name: string): PriorityLevel | undefined {
    return this.#levels.get(name);
  }

  /** The flow of a level, made when its first request comes. */
  flow(level: PriorityLevel, id: Pick<Flow, 'schema' | 'distinguisher'>, meters: () => FlowMeters): Flow {
    const { flows } = level as MutableLevel; // Levels are made here alone.
    const key = `${id.schema}\0${id.distinguisher}`;
    let flow = flows.get(key);
    if (flow === undefined) {
      if (flows.size >= maxFlows)
        for (const [other, { executing, waiting }] of flows)
          if (executing === 0 && waiting === 0) flows.delete(other);
      flow = createFlow(id, meters());
      flows.set(key, flow);
    }
    return flow;
  }

  /** Changes the configuration. What waits or executes goes on; a level that is gone finishes it first. */
  configure(configs: readonly LevelConfig[]): void {
    const wanted = new Map(configs.map(config => [config.name, config]));
    for (const level of [...this.#levels.values()]) {
      if (wanted.has(level.config.name)) continue;
      level.isQuiescing = true;
      this.#reap(level);
    }
    for (const config of configs) this.#configureLevel(config);
    this.#divideNominally();
  }

  /** Divides the seats anew by what was asked for since the last time: the levels lend and borrow (KEP-1040). */
  borrow(): void {
    const limited = this.#limited();
    const periods = limited.map(({ demand }) => demand.endPeriod());
    const demands = limited.map(({ seats, demand }, index) => {
      const least = Math.max(seats.least, Math.min(seats.nominal, periods[index]?.highest ?? 0));
      return { least, most: seats.most, target: Math.max(least, demand.smoothed) };
    });
    const sum = limited.reduce((total, { seats }) => total + seats.nominal, 0);
    const allocated = allocateSeats(sum, demands);
    for (const [index, { level, seats }] of limited.entries()) {
      const current = Math.max(1, Math.round(allocated[index] ?? seats.nominal));
      this.#assign(level, { ...seats, current }, periods[index]);
      this.#reap(level);
    }
  }

  /** Starts what may start now, after the gate has opened. */
  retry(): void {
    for (const { set } of this.#levels.values()) set?.retry();
  }

  /** Refuses the requests that wait for a seat. */
  refuseWaiting(): void {
    for (const { set } of this.#levels.values()) set?.refuseWaiting();
  }

  #configureLevel(config: LevelConfig): void {
    let level = this.#levels.get(config.name);
    if (level === undefined || (level.set === undefined) !== (config.limits === undefined)) {
      level = this.#create(config);
      this.#levels.set(config.name, level);
    }
    const isNew = level.config === config;
    if (isNew || !isDeepStrictEqual(level.config.limits?.queuing, config.limits?.queuing)) {
      for (const flow of level.flows.values()) flow.hand = undefined;
      level.set?.configure(config.limits?.queuing);
    }
    level.config = config;
    level.isQuiescing = false;
  }

  #create(config: LevelConfig): MutableLevel {
    const { clock, gate, waitLimitMs } = this.#options;
    const level = {
      config,
      seats: undefined,
      isQuiescing: false,
      exempted: 0,
      flows: new Map<string, Flow>(),
    };
    if (config.limits === undefined) return { ...level, set: undefined, demand: undefined };
    const demand = new SeatDemand(() => clock.now());
    const onDemand = (seats: number) => demand.set(seats);
    return { ...level, demand, set: new QueueSet({ clock, gate, waitLimitMs, onDemand }) };
  }

  #divideNominally(): void {
    const { serverSeats } = this.#options;
    const limits = [...this.#levels.values()].map(({ config }) => config.limits);
    const shares = limits.reduce((sum, limit) => sum + (limit?.shares ?? 0), 0);
    for (const level of this.#levels.values()) {
      const { limits: limit } = level.config;
      if (limit === undefined) continue;
      const nominal = Math.max(1, Math.ceil((serverSeats * limit.shares) / Math.max(1, shares)));
      const bounds = boundsFromLimits(nominal, limit, serverSeats);
      const before = level.seats?.nominal === nominal ? level.seats.current : nominal;
      const current = Math.max(bounds.least, Math.min(bounds.most, before));
      this.#assign(level, { nominal, ...bounds, current: Math.max(1, current) }, undefined);
    }
  }

  #assign(level: MutableLevel, seats: LevelSeats, demand: DemandOfPeriod | undefined): void {
    level.seats = seats;
    level.set?.limitSeats(seats.current);
    this.#options.onSeats?.(level, demand);
  }

  #reap(level: MutableLevel): void {
    if (!level.isQuiescing || level.exempted > 0 || level.set?.isIdle === false) return;
    this.#levels.delete(level.config.name);
  }

  #limited() {
    return [...this.#levels.values()].flatMap(level => {
      const { demand, seats } = level;
      return demand === undefined || seats === undefined ? [] : [{ level, demand, seats }];
    });
  }
}

function boundsFromLimits(
  nominal: number,
  { lendablePercent, borrowingLimitPercent }: LevelLimits,
  serverSeats: number,
): Pick<LevelSeats, 'least' | 'most'> {
  const percent = (part: number) => Math.round((nominal * part) / 100);
  const borrowed = borrowingLimitPercent === undefined ? serverSeats : percent(borrowingLimitPercent);
  return { least: nominal - percent(lendablePercent), most: nominal + borrowed };
}

/** The demand of one priority level for the seats that are divided. */
interface LevelDemand {
  readonly target: number;
  /** The level's least seats; at most `target`. */
  readonly least: number;
  readonly most: number;
}

/** A target is never taken to be smaller. */
const leastTarget = 0.001;
const halvings = 64;

/**
 * Divides seats so that each level gets the same multiple of its target, bounded by its least and most. Where all the
 * bounds together do not allow for the sum, each level gets its bound.
 */
export function allocateSeats(sum: number, demands: readonly LevelDemand[]): number[] {
  const at = (proportion: number) =>
    demands.map(({ target, least, most }) =>
      Math.max(least, Math.min(most, proportion * Math.max(target, leastTarget))),
    );
  const total = (seats: readonly number[]) => seats.reduce((a, b) => a + b, 0);
  // Beyond this proportion every level has its most.
  let high = Math.max(1, ...demands.map(({ target, most }) => most / Math.max(target, leastTarget)));
  let low = 0;
  for (let i = 0; i < halvings; i++) {
    const middle = (low + high) / 2;
    if (total(at(middle)) < sum) low = middle;
    else high = middle;
  }
  return at(high);
}
