/** A parsed URL of the URL library; its parts are escaped as in the text. */
export class UrlValue {
  readonly scheme: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly escapedPath: string;
  readonly rawQuery: string;
  /** The original text; URLs are equal if their texts are equal. */
  readonly text: string;

  constructor(parts: Omit<UrlValue, never>) {
    this.scheme = parts.scheme;
    this.host = parts.host;
    this.hostname = parts.hostname;
    this.port = parts.port;
    this.escapedPath = parts.escapedPath;
    this.rawQuery = parts.rawQuery;
    this.text = parts.text;
  }
}
