/** Names of the filters for rows in queries and addresses. Rows match all filters that are set. */
export const rowFilterNames = ['class', 'issue', 'outcome', 'change', 'value', 'q'] as const;
export type RowFilterName = (typeof rowFilterNames)[number];
