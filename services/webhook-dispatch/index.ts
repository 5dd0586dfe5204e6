export { webhookDispatchFlags, webhookFlags } from './config.ts';
export {
  createWebhookDispatch,
  type WebhookDispatch,
  type WebhookDispatchOptions,
} from './create-webhook-dispatch.ts';
