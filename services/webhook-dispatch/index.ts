export { webhookDispatchFlags, webhookFlags } from './config.ts';
export { createWebhookDispatch } from './create-webhook-dispatch.ts';
