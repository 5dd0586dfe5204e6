import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { admissionFlags } from '@binnacle/admission';
import { controllerManagerFlags } from '@binnacle/controller-manager';
import { flagSourceFlags } from '@binnacle/flags';
import { gatewayFlags } from '@binnacle/gateway';
import { standaloneFlags } from '@binnacle/standalone';
import { storageFlags } from '@binnacle/storage';
import { tokenReviewFlags } from '@binnacle/token-review';
import { webhookDispatchFlags } from '@binnacle/webhook-dispatch';
import { flagsDocument, type Programs } from './flags-document.ts';

const target = fileURLToPath(new URL('../../docs/flags.md', import.meta.url));

/** Writes `docs/flags.md` anew, or only checks it; returns its name when it differed. */
export function generateFlagsDocument({ isCheck }: { readonly isCheck: boolean }): readonly string[] {
  const text = flagsDocument(programs);
  if (existsSync(target) && readFileSync(target, 'utf8') === text) return [];
  if (!isCheck) writeFileSync(target, text);
  return ['docs/flags.md'];
}

/** Every program that has flags. */
export const programs: Programs = {
  standalone: { ...flagSourceFlags, ...standaloneFlags },
  gateway: { ...flagSourceFlags, ...gatewayFlags },
  admission: { ...flagSourceFlags, ...admissionFlags },
  storage: { ...flagSourceFlags, ...storageFlags },
  'webhook-dispatch': { ...flagSourceFlags, ...webhookDispatchFlags },
  'token-review': { ...flagSourceFlags, ...tokenReviewFlags },
  'controller-manager': { ...flagSourceFlags, ...controllerManagerFlags },
};
