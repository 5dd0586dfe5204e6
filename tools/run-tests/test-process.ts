// The process of a test worker. A builtin module that is imported at the top would be loaded before the first file is run.
import './test-scopes.ts';

await import('./run-files.ts');
