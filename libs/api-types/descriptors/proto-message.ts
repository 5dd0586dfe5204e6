/** The value of an option in a proto file: a text without quotes, a boolean, or a number. */
export type OptionValue = string | boolean | number;

/** The options of a message or field: values by name, in the order of the file. */
export type OptionValues = Readonly<Record<string, readonly OptionValue[]>>;

/** A field declaration of a proto file. */
export interface ProtoField {
  readonly name: string;
  readonly number: number;
  /** As written: a scalar, a message of the same package, or a full name; for a map the type of its values. */
  readonly type: string;
  readonly label: 'single' | 'repeated' | 'map';
  readonly options: OptionValues;
  /** The comment above the field. */
  readonly description: string;
}

/** A message declaration of a proto file, as JSON that `make generate` writes. */
export interface ProtoMessage {
  readonly name: string;
  readonly package: string;
  readonly options: OptionValues;
  readonly fields: readonly ProtoField[];
  readonly description: string;
}
