/** Marks the field that the key `/` goes to on its screen. */
export const searchFieldMark = { 'data-search-field': true } as const;
export const searchFieldSelector = '[data-search-field]';
