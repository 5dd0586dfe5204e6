/** The content of `/version`: the API release that the server follows, and the server's own. */
export const versionInfo = {
  major: '1',
  minor: '26',
  gitVersion: 'v1.26.0+binnacle-0.1.0',
  gitCommit: '',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: `node ${process.version}`,
  platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
};
