/** How much a log line matters. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Named values of a log line; an `Error` is written with its stack and causes. */
export interface LogFields {
  readonly [field: string]: unknown;
}

/**
 * Writes log lines.
 *
 * A field whose name says that it holds a secret is written as `[redacted]`, at any depth.
 */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A logger that adds these fields to every line. */
  child(fields: LogFields): Logger;
}
