import { setTimeout as pause } from 'node:timers/promises';
import { understood } from '@binnacle/api-names';
import type { ServiceAccount } from '@binnacle/api-types/core/v1';
import type { CallContext } from '@binnacle/proto';
import { withDeadline } from '@binnacle/rpc';
import type { ObjectReader, SeenObject } from '../../sources/objects.ts';
import { annotationValues, isTrue } from '../pods/annotations.ts';

/** The parts of a ServiceAccount that the plugin uses. */
export interface AccountView {
  readonly name: string;
  /** Whether pods mount a token by default; undefined counts as true. */
  readonly automountToken: boolean | undefined;
  readonly imagePullSecrets: readonly string[];
  readonly secrets: readonly string[];
  /** Whether pods may refer to no other secrets than those of the account. */
  readonly enforcesSecrets: boolean;
}

/** Source of service accounts. */
export interface AccountSource {
  /**
   * Finds an account. A new namespace gets its default account a moment later, so this method waits for that one, at most five
   * seconds and no longer than the call.
   */
  find(namespace: string, name: string, call: CallContext): Promise<AccountView | undefined>;
}

/** The account of pods that name none. */
export const defaultAccountName = 'default';

const timeoutMs = 5_000;
const firstPauseMs = 10;
const longestPauseMs = 250;

/** Creates a source of accounts on a reader of their type. */
export function createAccountSource(reader: Pick<ObjectReader, 'find' | 'findCurrent'>): AccountSource {
  return {
    async find(namespace, name, call) {
      const seen = await reader.find(namespace, name, call);
      if (seen !== undefined) return createView(seen);
      if (name !== defaultAccountName) return undefined;
      const appeared = await waitFor(() => reader.findCurrent(namespace, name, call), call);
      return appeared && createView(appeared);
    },
  };
}

/** Polls until there is a value; leaves time to answer the call before it ends. */
async function waitFor<T>(ask: () => Promise<T | undefined>, call: CallContext): Promise<T | undefined> {
  const giveUpAt = Math.min(performance.now() + timeoutMs, call.deadline - longestPauseMs);
  for (let pauseMs = firstPauseMs; performance.now() + pauseMs < giveUpAt; pauseMs *= 1.5) {
    await withDeadline(pause(Math.min(pauseMs, longestPauseMs)), call);
    const found = await ask();
    if (found !== undefined) return found;
  }
  return undefined;
}

const { enforceMountableSecrets } = understood.annotations;
const viewSlot = Symbol('service account view');

function createView(seen: SeenObject): AccountView {
  return seen.derived(viewSlot, source => {
    const account: ServiceAccount = source.parse();
    const { imagePullSecrets = [], secrets = [] } = account;
    return {
      name: source.name,
      automountToken: account.automountServiceAccountToken,
      imagePullSecrets: imagePullSecrets.map(({ name = '' }) => name),
      secrets: secrets.map(({ name = '' }) => name),
      enforcesSecrets: annotationValues(account.metadata, enforceMountableSecrets).some(isTrue),
    };
  });
}
