import { Agent, request as sendHttps } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { groups } from '@binnacle/api-names';

/** The target of the load, and its rate. */
interface OpenLoadOptions {
  /** `https://host:port` of each gateway; requests go to all in turn. */
  readonly gateways: readonly string[];
  readonly ca: Buffer;
  /** Bearer tokens of the users; each request is that of the next one. */
  readonly tokens: readonly string[];
  readonly perSecond: number;
}

/** One request and its outcome. */
export interface Sent {
  readonly verb: string;
  /** Milliseconds of the monotonic clock at which it was due. */
  readonly dueAt: number;
  readonly tookMs: number;
  /** The code of the answer, or of the error of the connection. */
  readonly outcome: string;
}

interface Request {
  readonly verb: string;
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly type?: string;
}

const collection = '/api/v1/namespaces/default/configmaps';
const reviews = `/apis/${groups.authorization}/v1/selfsubjectaccessreviews`;
const objects = 40;
/** Number of the objects that half of the patches change. */
const hotObjects = 2;
const text = 'x'.repeat(500);

/** The n-th request: four patches, two of them of hot objects, two creations, three reads and a review in ten. */
function createRequest(number: number, run: string): Request {
  const name = `frozen-${(number * 7) % objects}`;
  const item = `${collection}/${name}`;
  const patch = (path: string): Request => ({
    verb: 'patch',
    method: 'PATCH',
    path,
    body: { data: { number: String(number) } },
    type: 'application/merge-patch+json',
  });
  switch (number % 10) {
    case 0:
    case 5:
      return patch(`${collection}/frozen-${number % hotObjects}`);
    case 1:
    case 6:
      return patch(item);
    case 2:
    case 7: {
      const body = { metadata: { name: `${run}-${number}` }, data: { text } };
      return { verb: 'create', method: 'POST', path: collection, body };
    }
    case 3:
      return { verb: 'review', method: 'POST', path: reviews, body: reviewBody };
    case 4:
      return { verb: 'list', method: 'GET', path: `${collection}?limit=5` };
    default:
      return { verb: 'get', method: 'GET', path: item };
  }
}

const reviewBody = {
  spec: { resourceAttributes: { verb: 'get', resource: 'configmaps', namespace: 'default' } },
};

/** Requests at a fixed rate, whether or not those before were answered: a frozen server gets no less load. */
export class OpenLoad implements AsyncDisposable {
  readonly #options: OpenLoadOptions;
  readonly #agent: Agent;
  readonly #run = `r${Date.now().toString(36)}`;
  #number = 0;

  constructor(options: OpenLoadOptions) {
    this.#options = options;
    this.#agent = new Agent({ keepAlive: true, ca: options.ca, maxSockets: Number.POSITIVE_INFINITY });
  }

  /** Makes the objects that are read and patched. */
  async fill(): Promise<void> {
    for (let number = 0; number < objects; number++) {
      const body = { metadata: { name: `frozen-${number}` }, data: { text } };
      const outcome = await this.#send({ verb: 'create', method: 'POST', path: collection, body }, number);
      if (outcome !== '201' && outcome !== '409') throw new Error(`an object is answered with ${outcome}`);
    }
  }

  /** Sends for so many seconds; resolves when all is answered, a minute after the last one was sent at most. */
  async run(seconds: number, gateways = this.#options.gateways): Promise<readonly Sent[]> {
    const { perSecond } = this.#options;
    const sent: Sent[] = [];
    const pending = new Set<Promise<void>>();
    const startedAt = performance.now();
    for (let index = 0; index < seconds * perSecond; index++) {
      const dueAt = startedAt + (index * 1000) / perSecond;
      const early = dueAt - performance.now();
      if (early > 1) await pause(early);
      const number = this.#number++;
      const request = createRequest(number, this.#run);
      const one = this.#send(request, number, gateways)
        .then(outcome => {
          sent.push({ verb: request.verb, dueAt, tookMs: performance.now() - dueAt, outcome });
        })
        .finally(() => pending.delete(one));
      pending.add(one);
    }
    await Promise.all(pending);
    return sent;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy();
  }

  #send(
    { method, path, body, type = 'application/json' }: Request,
    number: number,
    gateways = this.#options.gateways,
  ): Promise<string> {
    const { tokens } = this.#options;
    const data = body && JSON.stringify(body);
    // In an order that is independent of the verb.
    const gateway = gateways[Math.floor(number / 3) % gateways.length];
    const headers = {
      authorization: `Bearer ${tokens[number % tokens.length]}`,
      ...(data !== undefined && { 'content-type': type, 'content-length': Buffer.byteLength(data) }),
    };
    return new Promise(resolve => {
      const outgoing = sendHttps(`${gateway}${path}`, {
        method,
        agent: this.#agent,
        headers,
        timeout: 60_000,
      });
      outgoing.on('response', response => {
        response.resume().on('end', () => resolve(String(response.statusCode)));
        response.on('error', error => resolve(errorCode(error)));
      });
      outgoing.on('error', error => resolve(errorCode(error)));
      outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')));
      outgoing.end(data);
    });
  }
}

function errorCode(error: Error): string {
  return 'code' in error ? String(error.code) : error.message;
}
