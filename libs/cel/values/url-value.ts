/** A parsed URL of the URL library; parts are as the text has them, escaped. */
export class UrlValue {
  readonly scheme: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly escapedPath: string;
  readonly rawQuery: string;
  /** The URL as it was written: equal texts are equal URLs. */
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
