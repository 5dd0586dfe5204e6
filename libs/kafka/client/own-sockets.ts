import type { Socket } from 'node:net';
import type { ISocketFactory } from 'kafkajs';

/** The sockets of one client. */
interface OwnSockets {
  readonly socketFactory: ISocketFactory;
  /**
   * Refuses every further socket: a request that kafkajs retries while its client disconnects would connect anew,
   * and be carried out after its caller believed the client gone.
   */
  refuseNew(): void;
  /** Refuses further sockets, and ends those that are open. */
  destroy(): void;
}

/** Keeps the sockets that a client opens. */
export function ownSockets(open: ISocketFactory): OwnSockets {
  const sockets = new Set<Socket>();
  let isClosed = false;
  const refuseNew = () => {
    isClosed = true;
  };
  return {
    socketFactory(args) {
      if (isClosed) throw new Error('the client was closed');
      const socket = open(args);
      sockets.add(socket);
      return socket.once('close', () => sockets.delete(socket));
    },
    refuseNew,
    destroy() {
      refuseNew();
      for (const socket of sockets) socket.destroy(new Error('the connection was closed'));
    },
  };
}
