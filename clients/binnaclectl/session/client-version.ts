import packageFile from '../package.json' with { type: 'json' };

/** The version of this client. */
export const clientVersion: string = packageFile.version;
