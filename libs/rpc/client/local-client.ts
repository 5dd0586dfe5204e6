import type { CallContext, ServiceContract } from '@binnacle/proto';
import { type Logger, silentLogger } from '@binnacle/telemetry';
import { withDeadline } from '../deadline/with-deadline.ts';
import { abortError } from '../protocol/abort-error.ts';
import { type BoundMethod, bindMethods } from '../protocol/method-table.ts';
import { handlerError } from '../protocol/run-call.ts';
import type { RpcClient } from './connect-rpc.ts';

/** Options of a client in the server's own process. */
interface LocalClientOptions {
  readonly log?: Logger;
}

/**
 * Creates a client that calls the handlers directly; messages are passed by reference, without copies.
 *
 * It gives the guarantees of a remote client: a call ends at its deadline or abort whatever the handler does, and every
 * error is a `StatusError`. Disposing of it does not end calls under way.
 */
export function localClient<Service extends object>(
  contract: ServiceContract<Service>,
  handlers: Service,
  options: LocalClientOptions = {},
): RpcClient<Service> {
  const log = (options.log ?? silentLogger).child({ component: 'local-client' });
  const members = bindMethods([{ contract, handlers }]).map(bound => [
    bound.method.name,
    bound.method.serverStreaming ? streamingMember(bound, log) : unaryMember(bound, log),
  ]);
  // The contract's type ties its methods to the members of the interface.
  const client = Object.fromEntries(members) as Service;
  return Object.assign(client, { [Symbol.asyncDispose]: async () => {} });
}

function unaryMember(bound: BoundMethod, log: Logger) {
  return async (request: unknown, call: CallContext): Promise<unknown> => {
    if (call.signal.aborted) throw abortError(call);
    try {
      return await withDeadline(bound.handler(request, call) as Promise<unknown>, call);
    } catch (error) {
      throw handlerError(error, bound, log);
    }
  };
}

function streamingMember(bound: BoundMethod, log: Logger) {
  return async function* (request: unknown, call: CallContext): AsyncGenerator<unknown, void, undefined> {
    if (call.signal.aborted) throw abortError(call);
    let iterator: AsyncIterator<unknown> | undefined;
    try {
      iterator = (bound.handler(request, call) as AsyncIterable<unknown>)[Symbol.asyncIterator]();
      while (true) {
        const next = await withDeadline(iterator.next(), call);
        if (next.done) return;
        yield next.value;
        if (call.signal.aborted) throw abortError(call);
      }
    } catch (error) {
      throw handlerError(error, bound, log);
    } finally {
      // Not awaited: a handler that waits in `next` ends later.
      iterator?.return?.()?.then(undefined, () => {});
    }
  };
}
