import { admissionFlags } from '@binnacle/admission';
import { controllerManagerFlags } from '@binnacle/controller-manager';
import { gatewayFlags } from '@binnacle/gateway';
import { standaloneFlags } from '@binnacle/standalone';
import { storageFlags } from '@binnacle/storage';
import { tokenReviewFlags } from '@binnacle/token-review';
import { webhookDispatchFlags } from '@binnacle/webhook-dispatch';
import type { Programs } from './flags-document.ts';

/** Every program that has flags. */
export const programs: Programs = {
  standalone: standaloneFlags,
  gateway: gatewayFlags,
  admission: admissionFlags,
  storage: storageFlags,
  'webhook-dispatch': webhookDispatchFlags,
  'token-review': tokenReviewFlags,
  'controller-manager': controllerManagerFlags,
};
