export {
  type ConversionCalls,
  ConversionFailed,
  callConversionWebhook,
  conversionTimeoutSeconds,
  isWebhookConverted,
  type WebhookConverted,
} from './call-conversion-webhook.ts';
