import { type RemoteWebhook, RemoteWebhookError } from '@binnacle/client';
import { auditApiVersion } from '../events/audit-event.ts';
import type { AuditSink } from './audit-sink.ts';

const listStart = `{"kind":"EventList","apiVersion":"${auditApiVersion}","metadata":{},"items":[`;

/** Posts events as an EventList; retries are the webhook's. What it answers with success is of no matter. */
export function webhookSink(webhook: RemoteWebhook): AuditSink {
  return {
    async write(events, signal) {
      const body = Buffer.from(`${listStart}${events.join(',')}]}`);
      try {
        await webhook.post(body, { signal });
      } catch (error) {
        // Collectors answer with an empty body, or a text.
        if (!(error instanceof RemoteWebhookError && error.kind === 'answer')) throw error;
      }
    },
    [Symbol.asyncDispose]: () => webhook[Symbol.asyncDispose](),
  };
}
