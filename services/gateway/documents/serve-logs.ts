import { writeResponse } from '../render/write-response.ts';
import type { Exchange } from '../request/exchange.ts';
import { PageNotFound } from '../request/page-not-found.ts';

const folder = '/logs/';

/** Whether a path is that of the folder of log files, or below it. */
export function isLogPath(path: string): boolean {
  return path === '/logs' || path.startsWith(folder);
}

/**
 * Answers with the list of the log files of the server, as kube-apiserver does for `/var/log` of its machine. A gateway
 * writes its log to its output and keeps no files, so the list is empty.
 */
export async function serveLogs(exchange: Exchange): Promise<void> {
  const { path, response } = exchange;
  if (path === '/logs') {
    response.writeHead(301, { Location: 'logs/', 'Content-Length': 0 }).end();
    return;
  }
  if (path !== folder) throw new PageNotFound();
  const body = Buffer.from('<pre>\n</pre>\n');
  await writeResponse(exchange, { code: 200, contentType: 'text/html; charset=utf-8', body });
}
