import { decodeStoredMetadata } from '@binnacle/codecs';
import { jsonOfResult } from '../render/json-of-result.ts';
import type { Rendering } from '../render/rendering.ts';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import type { AuditRecord, Exchange } from '../request/exchange.ts';
import { maxBodyBytes } from './events/request-audit.ts';

/** Records the body that a verb has read, when the audit of the request includes it. */
export function recordBody({ audit }: Exchange, bytes: Buffer, contentType: string): void {
  if (audit === undefined || audit.level === 'None' || audit.level === 'Metadata') return;
  audit.sentBody = { bytes, contentType };
}

/** Records the result of a verb, when the audit of the request includes it. */
export function recordAnswer({ audit }: Exchange, rendering: Rendering): void | Promise<void> {
  if (audit === undefined || audit.level === 'None') return;
  if (isUnnamed(rendering.request)) audit.generatedName = nameFromResult(rendering.result);
  if (audit.level === 'RequestResponse') return recordResultBody(rendering, audit);
}

async function recordResultBody(rendering: Rendering, audit: AuditRecord): Promise<void> {
  const json = await jsonOfResult(rendering, maxBodyBytes);
  audit.answer = json === undefined ? 'too-long' : { json };
}

/** Whether a request creates an object that the server names. */
function isUnnamed({ info, notes }: ApiRequest): boolean {
  return info.verb === 'create' && info.name === '' && (notes.sentObject?.name ?? '') === '';
}

function nameFromResult(result: ApiResult): string {
  if (result.kind === 'object') return result.object.metadata.name ?? '';
  if (result.kind === 'stored') return decodeStoredMetadata(result.stored, result.revision).name ?? '';
  return '';
}
