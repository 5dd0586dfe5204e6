import type { ApiRequest, ApiResult } from '../pipeline/api-request.ts';
import type { WebhookConversions } from './webhook-conversions.ts';

/**
 * Has what a request is answered with converted to its version, where a webhook does that; undefined where there is nothing
 * to convert. Rejects with a StatusError when a single object cannot be converted.
 */
export function prepareShown(
  { definition, call }: Pick<ApiRequest, 'definition' | 'call'>,
  result: ApiResult,
  conversions: WebhookConversions,
): Promise<void> | undefined {
  if (definition.conversionWebhook === undefined) return undefined;
  switch (result.kind) {
    case 'stored':
      return conversions.prepare(definition, [result.stored], { call });
    case 'list':
      return conversions.prepare(
        definition,
        result.items.map(item => item.stored),
        { call },
      );
    default:
      return undefined;
  }
}
