import { finalizers } from '@binnacle/api-names';

/** The finalizer of a definition that stands for its objects. */
export const cleanupFinalizer = finalizers.customResources;
