/** Classes of rows and products, best first. */
export const rowClasses = ['valid', 'warning', 'error'] as const;
export type RowClass = (typeof rowClasses)[number];

/** Filters for rows: a class, or the rows that need the operator, without left-out rows and mere parent rows. */
export const classFilters = ['needs-you', ...rowClasses] as const;
export type ClassFilter = (typeof classFilters)[number];

export const classesOfFilter = (filter: ClassFilter): readonly RowClass[] =>
  filter === 'needs-you' ? ['warning', 'error'] : [filter];

/** Returns 'valid' for a row with a title and a numeric price, 'warning' for one of the two, else 'error'. */
export function classOf(hasTitle: boolean, hasPrice: boolean): RowClass {
  if (hasTitle && hasPrice) return 'valid';
  return hasTitle || hasPrice ? 'warning' : 'error';
}

/** Returns the worse of two classes. A product has the class of its worst row. */
export const worstClass = (a: RowClass, b: RowClass): RowClass =>
  rowClasses.indexOf(a) >= rowClasses.indexOf(b) ? a : b;
