import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type ClientTls, latestTlsOptions } from '@binnacle/backend-access';

/** The protocol that a broker's listener expects. */
type ListenerKind = 'wants-tls' | 'plaintext' | 'wants-sasl' | 'unknown';

const timeoutMs = 2000;

/**
 * Probes which protocol a broker's listener expects, without sending credentials: whether it answers in plaintext,
 * completes a TLS handshake, or requires SASL. `unknown` if the probe is inconclusive, or the broker is unreachable. For
 * a caller without TLS, a listener with TLS and SASL is `wants-tls`.
 */
export async function probeBroker(broker: string, tls: ClientTls | undefined): Promise<ListenerKind> {
  const { host, port } = parseAddress(broker);
  if (tls !== undefined) {
    const answer = await exchange(
      connectTls({ host, port, ...serverNameFromHost(host), ...latestTlsOptions(tls) }),
    );
    if (answer === 'sasl') return 'wants-sasl';
    if (answer !== 'nothing') return 'unknown';
    const inPlaintext = await exchange(connectTcp({ host, port }));
    return inPlaintext === 'sasl' || inPlaintext === 'no-sasl' ? 'plaintext' : 'unknown';
  }
  const answer = await exchange(connectTcp({ host, port }));
  if (answer === 'sasl') return 'wants-sasl';
  if (answer === 'no-sasl') return 'unknown';
  return answer === 'tls' || (await completesHandshake(host, port)) ? 'wants-tls' : 'unknown';
}

function parseAddress(broker: string): { readonly host: string; readonly port: number } {
  const colon = broker.lastIndexOf(':');
  return { host: broker.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(broker.slice(colon + 1)) };
}

const serverNameFromHost = (host: string) => (isIP(host) === 0 ? { servername: host } : {});

type Answer = 'sasl' | 'no-sasl' | 'tls' | 'nothing';

/** Sends a SASL handshake, which names a mechanism but no user, and classifies the answer. */
function exchange(socket: Socket): Promise<Answer> {
  return new Promise(resolve => {
    let received: Buffer = Buffer.alloc(0);
    const finish = (answer: Answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(timeoutMs, () => finish('nothing'));
    socket.on('error', () => finish('nothing'));
    socket.on('close', () => finish('nothing'));
    socket.on('data', chunk => {
      received = Buffer.concat([received, chunk]);
      if (isTlsRecord(received)) finish('tls');
      else if (received.length >= answerBytes) finish(answerFrom(received));
    });
    socket.write(saslHandshake);
  });
}

/** Whether the bytes begin a TLS alert or handshake record; as the length of a Kafka answer they would mean 350 MB. */
const isTlsRecord = (bytes: Buffer) => (bytes[0] === 0x15 || bytes[0] === 0x16) && bytes[1] === 0x03;

const correlationId = 7;
const answerBytes = 10;
const unsupportedMechanism = 33;
const illegalSaslState = 34;

/** SaslHandshake, version 1: no client id, mechanism SCRAM-SHA-512. */
const saslHandshake = (() => {
  const mechanism = Buffer.from('SCRAM-SHA-512');
  const request = Buffer.alloc(4 + 2 + 2 + 4 + 2 + 2);
  request.writeInt32BE(request.length - 4 + mechanism.length, 0);
  request.writeInt16BE(17, 4);
  request.writeInt16BE(1, 6);
  request.writeInt32BE(correlationId, 8);
  request.writeInt16BE(-1, 12);
  request.writeInt16BE(mechanism.length, 14);
  return Buffer.concat([request, mechanism]);
})();

function answerFrom(bytes: Buffer): Answer {
  if (bytes.readInt32BE(4) !== correlationId) return 'nothing';
  const error = bytes.readInt16BE(8);
  if (error === illegalSaslState) return 'no-sasl';
  return error === 0 || error === unsupportedMechanism ? 'sasl' : 'nothing';
}

/** Whether the listener completes a TLS handshake, with any certificate; sends nothing over the connection. */
function completesHandshake(host: string, port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connectTls({ host, port, ...serverNameFromHost(host), rejectUnauthorized: false });
    const finish = (isDone: boolean) => {
      socket.destroy();
      resolve(isDone);
    };
    socket.setTimeout(timeoutMs, () => finish(false));
    socket.on('secureConnect', () => finish(true));
    socket.on('error', () => finish(false));
    socket.on('close', () => finish(false));
  });
}
