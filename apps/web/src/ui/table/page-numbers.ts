/** The most numbered buttons of a pager, as specified. */
const pageButtonsMax = 5;

/** The page numbers shown as buttons: at most five, around the current page and within the range. */
export function pageNumbers(current: number, pages: number): number[] {
  const shown = Math.min(pageButtonsMax, pages);
  const first = Math.min(
    Math.max(1, current - Math.floor(pageButtonsMax / 2)),
    Math.max(1, pages - shown + 1),
  );
  return Array.from({ length: shown }, (_, index) => first + index);
}

/** The number of pages for `total` items, at least 1. */
export function pageCount(total: number, perPage: number): number {
  return Math.max(1, Math.ceil(total / perPage));
}
