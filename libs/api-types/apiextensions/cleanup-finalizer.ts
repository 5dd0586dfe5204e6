/** The finalizer of a definition that stands for its objects. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.cluster.io';
