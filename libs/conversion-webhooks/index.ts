export {
  type ConversionCalls,
  ConversionFailed,
  callConversionWebhook,
  conversionTimeoutSeconds,
  isWebhookConverted,
  type WebhookConverted,
} from './call-conversion-webhook.ts';
export { readWebhookAnswer } from './webhook-answer.ts';
