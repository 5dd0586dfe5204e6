import { get } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';

const checkEveryMs = 250;
const checkTimeoutMs = 1_000;

/** The gateways that new connections go to, each the next one's in turn. */
export class GatewayTurns {
  #gateways: readonly string[] = [];
  #turn = 0;

  /** Changes the gateways; connections stay where they are. */
  use(gateways: readonly string[]): void {
    this.#gateways = gateways;
  }

  /** `https://host:port` of the gateway whose turn it is; undefined while there is none. */
  next(): string | undefined {
    return this.#gateways[this.#turn++ % this.#gateways.length];
  }
}

/**
 * The gateways whose `/readyz` says 200, as a load balancer of TCP connections knows them. Clients connect to these gateways
 * themselves: bytes that pass a program in between would cost more than those of the gateways.
 */
export class ReadyGateways implements Disposable {
  readonly #isReady = new Map<string, boolean>();
  readonly #onChange: (ready: readonly string[]) => void;

  /** `onChange` is told the gateways that are ready whenever these are others. */
  constructor(onChange: (ready: readonly string[]) => void) {
    this.#onChange = onChange;
  }

  /** Adds a gateway; resolves after its first check. */
  async add(url: string): Promise<void> {
    this.#isReady.set(url, false);
    this.#note(url, await isReady(url));
    void this.#check(url);
  }

  /** Sends no more connections to a gateway. */
  remove(url: string): void {
    this.#note(url, false);
    this.#isReady.delete(url);
  }

  [Symbol.dispose](): void {
    this.#isReady.clear();
  }

  async #check(url: string): Promise<void> {
    for (;;) {
      await pause(checkEveryMs);
      if (!this.#isReady.has(url)) return;
      this.#note(url, await isReady(url));
    }
  }

  #note(url: string, ready: boolean): void {
    if (this.#isReady.get(url) === !ready) {
      this.#isReady.set(url, ready);
      this.#onChange([...this.#isReady].filter(([, is]) => is).map(([gateway]) => gateway));
    }
  }
}

function isReady(url: string): Promise<boolean> {
  return new Promise(resolve => {
    // As that of a balancer: it asks for an answer only.
    const options = { rejectUnauthorized: false, agent: false, timeout: checkTimeoutMs };
    const check = get(`${url}/readyz`, options, response => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    check.on('timeout', () => check.destroy());
    check.on('error', () => resolve(false));
  });
}
