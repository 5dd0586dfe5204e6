import type { ManagedProcess } from '@binnacle/backends';

/** A form of the whole that runs. */
export interface RunningForm extends AsyncDisposable {
  /** `https://host:port` of each gateway. */
  readonly gateways: readonly string[];
  /** The process of each gateway; none where they run in this one. */
  readonly processes: readonly ManagedProcess[];
  /** The log of each gateway; default: those of the processes. */
  readonly logFiles?: readonly string[];
  /** The protocol between the suite and the form; default: `http/1.1`. WebSockets are always requested over HTTP/1.1. */
  readonly protocol?: 'http/1.1' | 'h2';
  /** PEM of the authority of the gateways' certificates. */
  readonly ca: string;
  /** The folder with `admin.conf` and `pki`. */
  readonly dataDirectory: string;
  /**
   * A form with these flags besides, by a way that is sooner than the start of another one: one more gateway of this form, with
   * processes of its own of the services whose flags they are, or a server in this process. Undefined where there is none. Flags of
   * storage change this form itself.
   */
  withFlags(flags: FormOptions['flags'], needs?: VariantNeeds): Promise<RunningForm> | undefined;
}

/** The demands of a test on a form with other flags. */
export interface VariantNeeds {
  /** Its gateways are processes of their own, which are killed or get signals. Default: false. */
  readonly ofProcesses?: boolean;
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
