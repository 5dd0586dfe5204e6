/** The level of a log line. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Named values of a log line; an `Error` is written with its stack and causes. */
export interface LogFields {
  readonly [field: string]: unknown;
}

/**
 * Writes log lines.
 *
 * A field whose name indicates a secret is written as `[redacted]`, at any depth.
 */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Creates a logger that adds these fields to every line. */
  child(fields: LogFields): Logger;
}
