/** How many numbered buttons a pager shows at most (product-spec section 2, job detail). */
const pageButtonsMax = 5;

/** The page numbers to show as buttons: at most five, around the current one, never beyond either end. */
export function pageNumbers(current: number, pages: number): number[] {
  const shown = Math.min(pageButtonsMax, pages);
  const first = Math.min(
    Math.max(1, current - Math.floor(pageButtonsMax / 2)),
    Math.max(1, pages - shown + 1),
  );
  return Array.from({ length: shown }, (_, index) => first + index);
}

/** How many pages `total` things take; nothing takes one empty page. */
export function pageCount(total: number, perPage: number): number {
  return Math.max(1, Math.ceil(total / perPage));
}
