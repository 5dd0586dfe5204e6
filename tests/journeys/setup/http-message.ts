import type { IncomingMessage } from 'node:http';

/** The bytes of a body: texts and bytes as they are, anything else as JSON. */
export function encodeBody(body: unknown): string | Buffer | undefined {
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) return body;
  return JSON.stringify(body);
}

/** Reads the body of an answer to its end. */
export async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Gives each whole line of an answer to `take` as it comes; resolves when the server has ended the answer. */
export function followLines(message: IncomingMessage, take: (line: string) => void): Promise<void> {
  let rest = '';
  message.setEncoding('utf8');
  message.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
  const ended = new Promise<void>((resolve, reject) => {
    message.on('end', resolve).on('error', reject);
  });
  // A test that drops the stream does not wait for its end.
  ended.catch(() => {});
  return ended;
}

/** The texts of the `Warning: 299` headers. */
export function warningsIn(rawHeaders: readonly string[]): string[] {
  return rawHeaders.flatMap((value, i) => {
    const name = i % 2 === 1 ? rawHeaders[i - 1] : undefined;
    const quoted = name?.toLowerCase() === 'warning' ? /^299 - "(.*)"$/.exec(value)?.[1] : undefined;
    return quoted === undefined ? [] : [quoted.replace(/\\(.)/g, '$1')];
  });
}
