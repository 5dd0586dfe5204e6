import type { LogFields, Logger, LogLevel } from './logger.ts';
import { redact } from './redact.ts';

/** Options of a logger. */
interface LoggerOptions {
  /** Minimum level of the lines that are written; default: `info`. */
  readonly level?: LogLevel;
  /**
   * `json`: one JSON object a line; `text`: readable lines; `terminal`: text with the time of day only; `auto`:
   * `terminal` if standard error is a terminal, else `json`. Default: `json`.
   */
  readonly format?: LogFormat;
  /** Receives each line without its line break; default: standard error. */
  readonly sink?: (line: string) => void;
  /** Unix time in ms. */
  readonly clock?: () => number;
  /** Fields added to every line. */
  readonly fields?: LogFields;
}

/** The format of log lines. */
type LogFormat = 'auto' | 'json' | 'text' | 'terminal';

const rank: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

/** Creates a logger. */
export function createLogger(options: LoggerOptions = {}): Logger {
  const { level = 'info', clock = Date.now, fields = {} } = options;
  const sink = options.sink ?? (line => process.stderr.write(`${line}\n`));
  const render = renderers[resolveFormat(options.format ?? 'json')];
  const write = (lineLevel: LogLevel, message: string, lineFields?: LogFields): void => {
    if (rank[lineLevel] < rank[level]) return;
    const time = new Date(clock()).toISOString();
    sink(render({ time, level: lineLevel, message }, redact({ ...fields, ...lineFields })));
  };
  return {
    debug: (message, lineFields) => write('debug', message, lineFields),
    info: (message, lineFields) => write('info', message, lineFields),
    warn: (message, lineFields) => write('warn', message, lineFields),
    error: (message, lineFields) => write('error', message, lineFields),
    child: more => createLogger({ ...options, sink, fields: { ...fields, ...more } }),
  };
}

/** A logger that writes nothing. */
export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLogger,
};

interface LineHead {
  readonly time: string;
  readonly level: LogLevel;
  readonly message: string;
}

function renderJson(head: LineHead, fields: LogFields): string {
  return JSON.stringify({ ...head, ...fields, ...head });
}

const renderers = {
  json: renderJson,
  text: (head: LineHead, fields: LogFields) => renderText(head, head.time, fields),
  terminal: (head: LineHead, fields: LogFields) => renderText(head, timeOfDay(head.time), fields),
};

function resolveFormat(format: LogFormat): keyof typeof renderers {
  if (format !== 'auto') return format;
  return process.stderr.isTTY ? 'terminal' : 'json';
}

/** Formats the local time of day: `13:37:17`. */
function timeOfDay(time: string): string {
  return new Date(time).toTimeString().slice(0, 8);
}

function renderText(head: LineHead, time: string, fields: LogFields): string {
  const rest = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}=${typeof value === 'string' ? quoted(value) : JSON.stringify(value)}`);
  return `${time} ${head.level.toUpperCase().padEnd(5)} ${oneLine(head.message)}${rest.join('')}`;
}

function quoted(text: string): string {
  return /^[\w.:/@-]+$/.test(text) ? text : JSON.stringify(text);
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ');
}
