import { StatusError } from '@binnacle/status-errors';

/** 504: the store has not reached the requested resourceVersion; clients know it by its cause. */
export function resourceVersionTooLarge(message: string): StatusError {
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  return new StatusError({
    reason: 'Timeout',
    code: 504,
    message,
    details: { causes, retryAfterSeconds: 1 },
  });
}
