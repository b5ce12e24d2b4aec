/**
 * The search parameters of the URL now. What makes the next ones from them starts here: a screen is drawn some time
 * after the URL has changed, so that a second click may come while the first one's parameters are not drawn yet.
 */
export const addressNow = (): URLSearchParams => new URLSearchParams(location.search);
