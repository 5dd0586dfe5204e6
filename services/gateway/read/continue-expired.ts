import { type Status, StatusError } from '@binnacle/status-errors';

/**
 * 410: the revision of a continue token is no longer kept. Its Status carries a fresh token with which the client
 * gets the rest as it is now.
 */
export class ContinueExpired extends StatusError {
  readonly continue: string;

  constructor(token: string) {
    super({
      reason: 'Expired',
      code: 410,
      message:
        'The provided continue parameter is too old to display a consistent list result. Start a new list without it, or take the token of this answer to get the rest as it is now.',
    });
    this.name = 'ContinueExpired';
    this.continue = token;
  }

  override toStatus(): Status {
    return { ...super.toStatus(), metadata: { continue: this.continue } };
  }
}
