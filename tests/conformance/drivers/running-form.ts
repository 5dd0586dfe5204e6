import type { ManagedProcess } from '@binnacle/backends';

/** A form of the whole that runs, with processes of its own. */
export interface RunningForm extends AsyncDisposable {
  /** `https://host:port` of each gateway. */
  readonly gateways: readonly string[];
  /** The process of each gateway. */
  readonly processes: readonly ManagedProcess[];
  /** The protocol between the suite and the form; default: `http/1.1`. WebSockets are always requested over HTTP/1.1. */
  readonly protocol?: 'http/1.1' | 'h2';
  /** PEM of the authority of the gateways' certificates. */
  readonly ca: string;
  /** The folder with `admin.conf` and `pki`. */
  readonly dataDirectory: string;
  /**
   * A form with these flags besides: one more gateway of this form where they are the gateway's alone, which is the
   * sooner way. Undefined where only a form of its own can have them.
   */
  withFlags(flags: FormOptions['flags']): Promise<RunningForm> | undefined;
}

/** Options of starting a form. */
export interface FormOptions {
  /** An empty folder for all its state. */
  readonly dataDirectory: string;
  /** Users by bearer token, in the format of kube-apiserver's token file. */
  readonly tokenAuthFile: string;
  /** Flags of the API besides those of the form: name and value. */
  readonly flags: Readonly<Record<string, string>>;
}

/** Starts a form and resolves once every gateway is ready. */
export type StartForm = (options: FormOptions) => Promise<RunningForm>;
