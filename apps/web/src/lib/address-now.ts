/** A second click may come before a screen has drawn the first one's parameters: make the next ones from these. */
export const addressNow = (): URLSearchParams => new URLSearchParams(location.search);
