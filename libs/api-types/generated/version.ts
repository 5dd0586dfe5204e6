// Written by `make generate` from the proto files. Change those.

/** Info says which release a server is, and how it was built. */
export type Info = {
  /** The major number of the release. */
  major?: string;
  /** The minor number of the release. */
  minor?: string;
  /** The whole version. */
  gitVersion?: string;
  /** The commit that the server was built from. */
  gitCommit?: string;
  /** Whether the sources were those of the commit. */
  gitTreeState?: string;
  /** When the server was built. */
  buildDate?: string;
  /** The version of the language. */
  goVersion?: string;
  /** The compiler. */
  compiler?: string;
  /** The operating system and processor. */
  platform?: string;
};
