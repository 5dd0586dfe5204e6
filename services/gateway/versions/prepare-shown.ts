import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import type { WebhookConversions } from './webhook-conversions.ts';

/**
 * Has what a request is answered with converted to its version, where a webhook does that. Throws a StatusError when a
 * single object cannot be converted.
 */
export async function prepareShown(
  { definition, call }: Pick<ApiRequest, 'definition' | 'call'>,
  result: ApiResult,
  conversions: WebhookConversions,
): Promise<void> {
  if (definition.conversionWebhook === undefined) return;
  if (result.kind === 'stored') await conversions.prepare(definition, [result.stored], { call });
  if (result.kind !== 'list') return;
  const stored = result.items.map(item => item.stored);
  await conversions.prepare(definition, stored, { call });
}
