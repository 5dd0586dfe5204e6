import { exchangeBytes } from './tcp-exchange.ts';

const metadataRequestKey = 3;
const metadataRequestVersion = 1;
const correlationId = 1;
const noNode = -1;

/**
 * Asks a Kafka broker for the cluster's metadata (protocol version 1, no topics) and says whether the
 * cluster has a live broker and an active controller, so that topics can be created and written.
 */
export async function hasLiveBroker(port: number, signal: AbortSignal): Promise<boolean> {
  const answer = await exchangeBytes({
    port,
    request: metadataRequest(),
    isComplete: received => received.length >= 4 && received.length >= 4 + received.readInt32BE(0),
    signal,
  });
  const { brokers, controller } = parseMetadata(answer);
  return brokers > 0 && controller !== noNode;
}

function metadataRequest(): Buffer {
  const clientId = Buffer.from('binnacle');
  const body = Buffer.alloc(2 + 2 + 4 + 2 + clientId.length + 4);
  body.writeInt16BE(metadataRequestKey, 0);
  body.writeInt16BE(metadataRequestVersion, 2);
  body.writeInt32BE(correlationId, 4);
  body.writeInt16BE(clientId.length, 8);
  clientId.copy(body, 10);
  body.writeInt32BE(0, 10 + clientId.length);
  const size = Buffer.alloc(4);
  size.writeInt32BE(body.length, 0);
  return Buffer.concat([size, body]);
}

function parseMetadata(answer: Buffer): { brokers: number; controller: number } {
  let offset = 8;
  const brokers = answer.readInt32BE(offset);
  offset += 4;
  for (let broker = 0; broker < brokers; broker++) {
    offset += 4;
    offset += 2 + answer.readInt16BE(offset);
    offset += 4;
    offset += 2 + Math.max(0, answer.readInt16BE(offset));
  }
  return { brokers, controller: answer.readInt32BE(offset) };
}
