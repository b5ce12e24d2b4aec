/**
 * The header with the random id of a browser, which the web sends with every call. It says whose commands a browser may
 * undo with a key, and is no credential. A request without a valid one is a call.
 */
export const browserHeader = 'x-draftshelf-browser';
