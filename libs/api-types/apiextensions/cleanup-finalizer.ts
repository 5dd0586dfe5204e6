import { finalizers } from '@binnacle/api-names';

/** The finalizer that keeps a definition until its custom resources are deleted. */
export const cleanupFinalizer = finalizers.customResources;
