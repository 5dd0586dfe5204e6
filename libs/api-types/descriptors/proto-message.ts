/** The value of an option as the file writes it: a text without its quotes, `true` or `false`, or a number. */
export type OptionValue = string | boolean | number;

/** The options of one message or field: values by name, in the order of the file. */
export type OptionValues = Readonly<Record<string, readonly OptionValue[]>>;

/** A field as a proto file declares it. */
export interface ProtoField {
  readonly name: string;
  readonly number: number;
  /** As written: a scalar, a message of the same package, or a full name; of a map the type of its values. */
  readonly type: string;
  readonly label: 'single' | 'repeated' | 'map';
  readonly options: OptionValues;
  /** The comment above it. */
  readonly description: string;
}

/** A message as a proto file declares it; JSON, so that `make generate` can write it down. */
export interface ProtoMessage {
  readonly name: string;
  readonly package: string;
  readonly options: OptionValues;
  readonly fields: readonly ProtoField[];
  readonly description: string;
}
