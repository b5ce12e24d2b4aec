/** The filters of an import's rows, by their names in queries and addresses. Rows match all that are set. */
export const rowFilterNames = ['class', 'issue', 'outcome', 'change', 'value', 'q'] as const;
export type RowFilterName = (typeof rowFilterNames)[number];
