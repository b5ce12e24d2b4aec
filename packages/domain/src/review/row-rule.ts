/** The classes of rows and products, best first. */
export const rowClasses = ['valid', 'warning', 'error'] as const;
export type RowClass = (typeof rowClasses)[number];

/** Filters of rows: a class, or all that need the operator. Rows that are left out, or are only parents, do not. */
export const classFilters = ['needs-you', ...rowClasses] as const;
export type ClassFilter = (typeof classFilters)[number];

export const classesOf = (filter: ClassFilter): readonly RowClass[] =>
  filter === 'needs-you' ? ['warning', 'error'] : [filter];

/** The specification's row rule: valid with a title and a numeric price, warning with one of them, else error. */
export function classOf(hasTitle: boolean, hasPrice: boolean): RowClass {
  if (hasTitle && hasPrice) return 'valid';
  return hasTitle || hasPrice ? 'warning' : 'error';
}

/** The worse of two classes. A product has the class of its worst row. */
export const worstClass = (a: RowClass, b: RowClass): RowClass =>
  rowClasses.indexOf(a) >= rowClasses.indexOf(b) ? a : b;
