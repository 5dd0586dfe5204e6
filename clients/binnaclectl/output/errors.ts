import { ServerUnreachable } from '@binnacle/client';
import { errorMessage, StatusError } from '@binnacle/status-errors';

/** An error in the command line; the message is followed by a hint at the help. */
export class UsageError extends Error {}

/** The command cannot be done; the message is for the user as it is. */
export class CommandError extends Error {}

/** A failure with the step in which it happened: `error when applying "x.yaml"`. */
export class FailedStep extends Error {
  constructor(step: string, cause: unknown) {
    super(step, { cause });
  }
}

/** The text of a failure for the user, in the words of kubectl; never a stack. */
export function errorText(error: unknown): string {
  if (error instanceof FailedStep) return textFromError(error.cause, `${error.message}: `);
  return textFromError(error, '');
}

function textFromError(error: unknown, step: string): string {
  if (error instanceof StatusError) return statusText(error, step);
  if (error instanceof ServerUnreachable) return unreachableText(error);
  const message = errorMessage(error);
  return `error: ${step}${message}`;
}

function statusText(error: StatusError, step: string): string {
  if (error.reason === 'Unauthorized') return 'error: You must be logged in to the server (Unauthorized)';
  if (error.reason === 'Invalid' && error.details?.kind) return invalidText(error);
  const source = error.reason === '' ? 'Error from server' : `Error from server (${error.reason})`;
  return `${source}: ${step}${error.message}`;
}

function invalidText({ details, causes }: StatusError): string {
  const { kind = '', name = '' } = details ?? {};
  const head = `The ${kind} ${JSON.stringify(name)} is invalid`;
  const lines = causes.map(({ field, message = '' }) => (field ? `${field}: ${message}` : message));
  if (lines.length === 0) return head;
  return lines.length === 1
    ? `${head}: ${lines[0]}`
    : `${head}: \n${lines.map(line => `* ${line}`).join('\n')}`;
}

function unreachableText({ host, code, message }: ServerUnreachable): string {
  return code === 'ECONNREFUSED'
    ? `The connection to the server ${host} was refused - did you specify the right host or port?`
    : `Unable to connect to the server: ${host}: ${message}`;
}
