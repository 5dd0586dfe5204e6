import { keepCompiledCode } from '@binnacle/service-kit/compile-cache';

keepCompiledCode();
// Static imports would be compiled before this line.
await import('./run.ts');
