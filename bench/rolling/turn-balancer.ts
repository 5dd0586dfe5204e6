import { get } from 'node:https';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const checkEveryMs = 250;
const checkTimeoutMs = 1_000;
const connectTimeoutMs = 1_000;

interface Gateway {
  readonly url: string;
  readonly connections: Set<Socket>;
  isReady: boolean;
}

/**
 * A load balancer that passes TCP connections to gateways in turn, as those of clouds do: to the ones whose `/readyz` says 200, and to
 * the next one where a gateway takes no connection. A connection stays where it is for as long as its ends keep it.
 */
export class TurnBalancer implements AsyncDisposable {
  readonly #gateways = new Map<string, Gateway>();
  readonly #stopping = new AbortController();
  readonly #server = createServer({ noDelay: true }, client => this.#pass(client));
  #turn = 0;

  /** Starts a balancer on a free port. */
  static async start(gateways: readonly string[]): Promise<TurnBalancer> {
    const balancer = new TurnBalancer();
    await new Promise<void>(resolve => balancer.#server.listen(0, '127.0.0.1', resolve));
    await Promise.all(gateways.map(url => balancer.add(url)));
    return balancer;
  }

  /** `https://host:port` for clients. */
  get address(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`; // It listens on TCP.
  }

  /** Adds a gateway; resolves after its first check. */
  async add(url: string): Promise<void> {
    const gateway: Gateway = { url, connections: new Set(), isReady: false };
    this.#gateways.set(url, gateway);
    gateway.isReady = await isReady(url);
    void this.#check(gateway);
  }

  /** Passes no more connections to a gateway; those that it has go on. */
  remove(url: string): void {
    this.#gateways.delete(url);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    for (const { connections } of this.#gateways.values()) for (const socket of connections) socket.destroy();
    await new Promise(resolve => this.#server.close(resolve));
  }

  async #check(gateway: Gateway): Promise<void> {
    while (!this.#stopping.signal.aborted && this.#gateways.get(gateway.url) === gateway) {
      await pause(checkEveryMs);
      gateway.isReady = await isReady(gateway.url);
    }
  }

  #pass(client: Socket): void {
    const ready = [...this.#gateways.values()].filter(({ isReady }) => isReady);
    const first = this.#turn++;
    client.on('error', () => client.destroy());
    const attempt = (number: number) => {
      const gateway = ready[(first + number) % ready.length];
      if (gateway === undefined || number === ready.length || client.destroyed) return void client.destroy();
      const { hostname, port } = new URL(gateway.url);
      const server = connect({
        host: hostname,
        port: Number(port),
        noDelay: true,
        timeout: connectTimeoutMs,
      });
      const next = () => {
        server.destroy();
        attempt(number + 1);
      };
      server.once('error', next).once('timeout', next);
      server.once('connect', () => {
        server.off('error', next).off('timeout', next).setTimeout(0);
        join(client, server);
        gateway.connections.add(server);
        server.once('close', () => gateway.connections.delete(server));
      });
    };
    attempt(0);
  }
}

function join(client: Socket, server: Socket): void {
  client.pipe(server).pipe(client);
  server.on('error', () => {});
  client.once('close', () => server.destroy());
  server.once('close', () => client.destroySoon());
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
